package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Base class of the builders: what is no option of the tables, and what sets any option by its name.
 *
 * @param <B> the builder's own type, which every setter returns
 */
abstract sealed class OptionsBuilder<B extends OptionsBuilder<B>>
        permits Audit, SegmentGeneratorBuilder, SnowflakeGeneratorBuilder {
    private final String url;
    private final Map<String, Object> options = new LinkedHashMap<>();
    private @Nullable CredentialsSupplier credentials;

    OptionsBuilder(String url) {
        this.url = url;
    }

    /** Returns this builder by its own type. */
    abstract B self();

    /**
     * Sets what supplies user and password for each new connection, for passwords that rotate. Default: {@link #user}
     * and {@link #password}, which cannot be combined with it. It has no effect without a database server.
     *
     * <p>The supplier stays reachable until the generator is closed, or the audit has ended.
     *
     * @param credentials the supplier
     * @return this builder
     */
    public B credentials(CredentialsSupplier credentials) {
        this.credentials = requireNonNull(credentials, "credentials");
        return self();
    }

    /**
     * Sets any option by its name in the table of options.
     *
     * @param name for example {@code connect_timeout}
     * @param value its value as in a URL, for example {@code 500ms}; or a {@link java.time.Duration},
     *     {@link java.time.Instant}, {@link Boolean}, whole number, array or collection of strings, or map of strings
     *     to numbers
     * @return this builder
     * @throws InvalidConfigException if the value is of another type
     * @see Leafmint#options()
     * @see Leafmint#snowflakeOptions()
     */
    public B option(String name, Object value) {
        options.put(requireNonNull(name, "name"), OptionValues.simplified(name, requireNonNull(value, "value")));
        return self();
    }

    final @Nullable CredentialsSupplier credentials() {
        return credentials;
    }

    final String url() {
        return Text.nameInConfig("the URL", url);
    }

    final Map<String, Object> options() {
        return options;
    }
}
