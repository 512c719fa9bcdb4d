package start;

import io.github.leafmint.SnowflakeGenerator;

/** Takes one id from a snowflake generator. */
final class FirstSnowflake {
    private FirstSnowflake() {}

    public static void main(String[] arguments) {
        try (var generator = SnowflakeGenerator.open(arguments[0])) {
            generator.nextId();
        }
    }
}
