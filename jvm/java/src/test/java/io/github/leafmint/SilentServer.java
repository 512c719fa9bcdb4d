package io.github.leafmint;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A server that accepts connections and never answers. */
public final class SilentServer implements AutoCloseable {
    private final ServerSocket socket;

    public SilentServer() throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    public String url() {
        return "mysql://user:s3ntinel@127.0.0.1:" + socket.getLocalPort() + "/db";
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
