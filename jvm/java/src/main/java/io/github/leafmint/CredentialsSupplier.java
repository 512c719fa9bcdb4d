package io.github.leafmint;

/**
 * Supplies user and password for each new connection to a database, for passwords that rotate: leases of Vault, tokens
 * of a cloud's IAM.
 *
 * <p>It is called on a thread of its own, one call at a time, with its own class loader as the context class loader,
 * and it may block. If it throws, returns null or takes longer than the option {@code connect_timeout}, the attempt to
 * connect fails with {@link StoreUnavailableException} and the text of its exception, and it is called again for the
 * next attempt. Connections that are open stay open.
 *
 * <pre>{@code
 * CredentialsSupplier vault = () -> {
 *     var lease = client.read("database/creds/shop");
 *     return new Credentials(lease.get("username"), lease.get("password"));
 * };
 * var ids = SegmentGenerator.builder("mysql://host/database").credentials(vault).open();
 * }</pre>
 */
@FunctionalInterface
public interface CredentialsSupplier {
    /**
     * Returns the credentials of the next connection.
     *
     * @return user and password
     * @throws Exception if there are none now; its text becomes part of messages, so it must hold no password
     */
    Credentials get() throws Exception;
}
