package io.github.leafmint;

/**
 * A thread of leafmint's own: it does not keep the JVM running, and refers to no class loader of the caller.
 *
 * <p>What it runs is the method of a subclass. The first lambda of a JVM would cost the first id milliseconds, and each
 * other one a fraction of one.
 */
abstract class DaemonThread extends Thread {
    DaemonThread(String name) {
        super(null, null, name, 0, false);
        setDaemon(true);
        setContextClassLoader(null);
    }

    @Override
    public abstract void run();
}
