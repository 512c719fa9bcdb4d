package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import io.github.leafmint.internal.results.Results;
import java.util.ArrayList;
import java.util.List;

/**
 * Returns what can be known without a generator: the version, the options and the SQL of the tables.
 *
 * <pre>{@code
 * Files.writeString(Path.of("V1__leafmint.sql"), Leafmint.schemaSql("mysql"));
 * for (OptionSpec option : Leafmint.segmentOptions()) {
 *     System.out.println(option.name() + ": " + option.meaning());
 * }
 * }</pre>
 */
public final class Leafmint {
    private Leafmint() {}

    /**
     * Returns the version of leafmint, such as {@code 0.1.0}.
     *
     * @return the version
     */
    public static String version() {
        NativeLibrary.require();
        return Native.version();
    }

    /**
     * Returns the SQL that creates leafmint's tables, for migration tools.
     *
     * @param dialect {@code mysql} (also for MariaDB), {@code postgresql}, {@code sqlite} or {@code tickets}
     * @return the statements
     * @throws InvalidArgumentException if there is no such dialect
     */
    public static String schemaSql(String dialect) {
        requireNonNull(dialect, "dialect");
        NativeLibrary.require();
        return Native.schemaSql(Text.name("the dialect", dialect));
    }

    /**
     * Returns the options of segment generators, in the order of the documentation.
     *
     * @return the options
     */
    public static List<OptionSpec> segmentOptions() {
        NativeLibrary.require();
        return read(Native.segmentOptions());
    }

    /**
     * Returns the options of snowflake generators, in the order of the documentation.
     *
     * @return the options
     */
    public static List<OptionSpec> snowflakeOptions() {
        NativeLibrary.require();
        return read(Native.snowflakeOptions());
    }

    private static List<OptionSpec> read(String[] texts) {
        var options = new ArrayList<OptionSpec>();
        for (int at = 0; at < texts.length; at += 6) {
            options.add(new Results.OptionSpec(
                    texts[at], texts[at + 1], texts[at + 2], texts[at + 3], texts[at + 4], texts[at + 5]));
        }
        return List.copyOf(options);
    }
}
