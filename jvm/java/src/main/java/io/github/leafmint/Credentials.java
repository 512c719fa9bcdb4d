package io.github.leafmint;

import static java.util.Objects.requireNonNull;

/**
 * An account of a database and its password, for one connection: see {@link CredentialsSupplier}.
 *
 * <pre>{@code
 * var credentials = new Credentials("shop", "s3cret");
 * System.out.println(credentials); // Credentials[user=shop, password=***]
 * }</pre>
 *
 * @param user the account
 * @param password its password, as it is, without escapes
 */
public record Credentials(String user, String password) {
    /**
     * Creates credentials.
     *
     * @param user the account
     * @param password its password, as it is, without escapes
     * @throws NullPointerException if one of them is null
     */
    public Credentials {
        requireNonNull(user, "user");
        requireNonNull(password, "password");
    }

    /**
     * Returns the account, without the password.
     *
     * @return a text for people
     */
    @Override
    public String toString() {
        return "Credentials[user=" + user + ", password=***]";
    }
}
