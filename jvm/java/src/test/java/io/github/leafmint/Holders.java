package io.github.leafmint;

import java.nio.file.Path;

/** Holders over the directory of a test. */
final class Holders {
    private Holders() {}

    /** Returns the URL of a holder that assigns any free worker id. */
    static String local(Path directory) {
        return "local:" + directory;
    }

    /** Returns a builder over a fixed worker id, which it shares with no other test. */
    static SnowflakeGeneratorBuilder fixed(Path directory, long workerId) {
        // Its own namespace, because other tests on this host use the same worker ids.
        String namespace = directory.getFileName().toString();
        return SnowflakeGenerator.builder("fixed:" + workerId)
                .stateDir(directory.toString())
                .namespace(namespace);
    }
}
