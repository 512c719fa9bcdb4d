package io.github.leafmint;

/**
 * How connections to the database are encrypted.
 *
 * <pre>{@code
 * SegmentGenerator.builder("mysql://host/database").sslMode(SslMode.VERIFY_IDENTITY).open();
 * }</pre>
 */
public enum SslMode {
    /** {@code disabled}: never. */
    DISABLED,

    /** {@code preferred}: if the server can. */
    PREFERRED,

    /** {@code required}: always, without a look at the certificate. */
    REQUIRED,

    /** {@code verify_ca}: always, and an authority that is trusted signed the certificate. */
    VERIFY_CA,

    /** {@code verify_identity}: always, and the certificate is trusted and names the host. */
    VERIFY_IDENTITY
}
