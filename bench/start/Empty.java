package start;

/** Does nothing: what a JVM costs. */
final class Empty {
    private Empty() {}

    public static void main(String[] arguments) {}
}
