package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.lending.ConnectionSource;
import io.github.leafmint.internal.lending.DataSourceNames;
import io.github.leafmint.internal.lending.JdbcUrlSource;
import io.github.leafmint.internal.natives.OptionValues;
import io.github.leafmint.internal.threads.Answering;
import io.github.leafmint.internal.threads.CredentialsThread;
import io.github.leafmint.internal.threads.DriverThreads;
import java.util.LinkedHashMap;
import java.util.List;
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
    private final @Nullable ConnectionSource source;
    private final Map<String, Object> options = new LinkedHashMap<>();
    private @Nullable CredentialsSupplier credentials;

    OptionsBuilder(String url) {
        this.url = url;
        source = null;
    }

    /** Begins with what lends connections instead of a URL. */
    OptionsBuilder(ConnectionSource source) {
        url = "";
        this.source = source;
    }

    /** Returns this builder by its own type. */
    abstract B self();

    /**
     * Sets what supplies user and password for each new connection, for passwords that rotate. Default: {@link #user}
     * and {@link #password}, which cannot be combined with it. It has no effect without a database server. A data
     * source has its own.
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
     *     {@link java.time.Instant}, {@link Boolean}, enum, whole number, array or collection of strings, or map of
     *     strings to numbers
     * @return this builder
     * @throws InvalidConfigException if the value is of another type
     * @see Leafmint#segmentOptions()
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

    /** Returns the options that the core reads: the driver of a JDBC URL has its account from elsewhere. */
    final OptionValues coreOptions() {
        if (source != null || !JdbcUrlSource.isFor(url)) {
            return new OptionValues(options);
        }
        var rest = new LinkedHashMap<>(options);
        rest.keySet().removeAll(JdbcUrlSource.ACCOUNT);
        return new OptionValues(rest);
    }

    /** Starts the threads that answer the core's questions for connections or credentials, if it asks any. */
    final @Nullable Answering answering() {
        if (source != null) {
            if (credentials != null) {
                throw new InvalidConfigException(
                        "credentials cannot be combined with a data source: it has its own account");
            }
            return DriverThreads.start(source);
        }
        if (!JdbcUrlSource.isFor(url)) {
            return CredentialsThread.start(credentials);
        }
        checkParameters(Leafmint.segmentOptions());
        checkParameters(Leafmint.snowflakeOptions());
        return DriverThreads.start(new JdbcUrlSource(url(), options, credentials));
    }

    /** Refuses a URL with options of leafmint, of which its driver knows nothing. */
    private void checkParameters(List<OptionSpec> known) {
        for (OptionSpec option : known) {
            String name = option.name();
            if (!JdbcUrlSource.ACCOUNT.contains(name) && DataSourceNames.hasParameter(url, name)) {
                throw new InvalidConfigException("the JDBC driver reads this URL, and knows nothing of " + name
                        + ": set it on the builder, option(\"" + name + "\", value)");
            }
        }
    }
}
