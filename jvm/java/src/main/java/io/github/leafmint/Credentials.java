package io.github.leafmint;

import static java.util.Objects.requireNonNull;

/**
 * An account of a database and its password, for one connection: see {@link CredentialsSupplier}.
 *
 * <pre>{@code
 * var credentials = new Credentials("shop", "s3cret");
 * System.out.println(credentials); // Credentials[username=shop, password=***]
 * }</pre>
 */
public final class Credentials {
    private final String username;
    private final String password;

    /**
     * Creates credentials.
     *
     * @param username the account
     * @param password its password, as it is, without escapes
     * @throws NullPointerException if one of them is null
     */
    public Credentials(String username, String password) {
        this.username = requireNonNull(username, "username");
        this.password = requireNonNull(password, "password");
    }

    /** {@return the account} */
    public String username() {
        return username;
    }

    /** {@return its password} */
    public String password() {
        return password;
    }

    /**
     * Returns the account, without the password.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "Credentials[username=" + username + ", password=***]";
    }
}
