package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Base class of the builders: the options that both kinds of generator have.
 *
 * @param <B> the builder's own type, which every setter returns
 */
abstract sealed class GeneratorBuilder<B extends GeneratorBuilder<B>>
        permits SegmentGeneratorBuilder, SnowflakeGeneratorBuilder {
    private final String url;
    private final Map<String, Object> options = new LinkedHashMap<>();
    private @Nullable CredentialsSupplier credentials;

    GeneratorBuilder(String url) {
        this.url = url;
    }

    /** Returns this builder by its own type. */
    abstract B self();

    /**
     * Sets the longest wait of one call. Default: 5 s.
     *
     * @param timeout 0 to one year
     * @return this builder
     */
    public B timeout(Duration timeout) {
        return option("timeout", requireNonNull(timeout, "timeout"));
    }

    /**
     * Sets the longest wait for one connection, statement or lock. Default: 3 s.
     *
     * @param connectTimeout more than 0, at most one year
     * @return this builder
     */
    public B connectTimeout(Duration connectTimeout) {
        return option("connect_timeout", requireNonNull(connectTimeout, "connectTimeout"));
    }

    /**
     * Sets the account of the database. Default: the one in the URL.
     *
     * @param user the account
     * @return this builder
     */
    public B user(String user) {
        return option("user", requireNonNull(user, "user"));
    }

    /**
     * Sets the password of the account. Default: the one in the URL.
     *
     * @param password the password as it is, without escapes; no message shows it
     * @return this builder
     */
    public B password(String password) {
        return option("password", requireNonNull(password, "password"));
    }

    /**
     * Sets what supplies user and password for each new connection, for passwords that rotate. Default: {@link #user}
     * and {@link #password}, which cannot be combined with it. It has no effect without a database server.
     *
     * <p>The supplier stays reachable until the generator is closed.
     *
     * @param credentials the supplier
     * @return this builder
     */
    public B credentials(CredentialsSupplier credentials) {
        this.credentials = requireNonNull(credentials, "credentials");
        return self();
    }

    /**
     * Sets how connections to the database are encrypted. Default: {@code preferred}, or {@code verify_ca} with
     * {@link #sslCa}.
     *
     * @param sslMode {@code disabled}, {@code preferred}, {@code required}, {@code verify_ca} or
     *     {@code verify_identity}
     * @return this builder
     */
    public B sslMode(String sslMode) {
        return option("ssl_mode", requireNonNull(sslMode, "sslMode"));
    }

    /**
     * Sets the certificate authorities to trust. Default: the built-in ones.
     *
     * @param sslCa the path of a PEM file
     * @return this builder
     */
    public B sslCa(String sslCa) {
        return option("ssl_ca", requireNonNull(sslCa, "sslCa"));
    }

    /**
     * Sets whether {@code open()} connects and leases what the first id needs, or fails. Default: false.
     *
     * @param eager true to connect in {@code open()}, false to connect for the first id
     * @return this builder
     */
    public B eager(boolean eager) {
        return option("eager", eager);
    }

    /**
     * Sets whether the generator is closed at the exit of the JVM if it is still open then. Default: true.
     *
     * <p>It is closed after all other shutdown hooks have ended, so that a server that drains in a hook can still mint.
     * With false the application must close the generator; otherwise what it leased but did not use is lost.
     *
     * @param closeAtExit whether to close it
     * @return this builder
     */
    public B closeAtExit(boolean closeAtExit) {
        return option("close_at_exit", closeAtExit);
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
