package io.github.leafmint;

/** How often a test that looks for rare events repeats: more often with the Maven profile "all". */
public final class Rounds {
    private Rounds() {}

    public static int of(int usual, int all) {
        return Boolean.getBoolean("leafmint.tests.all") ? all : usual;
    }
}
