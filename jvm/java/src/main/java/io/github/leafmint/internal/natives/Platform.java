package io.github.leafmint.internal.natives;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Names the platform of this JVM as the JAR does, for example {@code linux-x86_64} or {@code linux-musl-aarch64}.
 *
 * @param os the system property {@code os.name}, in lower case
 * @param arch the architecture as Rust calls it
 * @param musl whether the C library of the process is musl
 */
record Platform(String os, String arch, boolean musl) {
    /** The platforms that leafmint is published for. */
    static final Set<String> PUBLISHED = Set.of(
            "linux-x86_64",
            "linux-aarch64",
            "linux-musl-x86_64",
            "linux-musl-aarch64",
            "macos-aarch64",
            "macos-x86_64");

    /** Returns the platform of this JVM. */
    static Platform current() {
        String arch = rustArch(System.getProperty("os.arch", "").toLowerCase(Locale.ROOT));
        boolean musl = isMusl(Path.of("/lib/ld-musl-" + arch + ".so.1"), Path.of("/proc/self/maps"));
        return new Platform(System.getProperty("os.name", "").toLowerCase(Locale.ROOT), arch, musl);
    }

    private static String rustArch(String arch) {
        return switch (arch) {
            case "amd64" -> "x86_64";
            case "arm64" -> "aarch64";
            default -> arch;
        };
    }

    /**
     * Returns whether a process runs on musl.
     *
     * <p>Systems with glibc can have musl's loader too, and those with musl a loader by the name of glibc's. What the
     * process has mapped decides, and is read only if musl's loader exists.
     */
    static boolean isMusl(Path loader, Path maps) {
        if (!Files.exists(loader)) {
            return false;
        }
        try {
            // Paths in it need not be UTF-8.
            String mapped = Files.readString(maps, StandardCharsets.ISO_8859_1);
            return mapped.contains("/ld-musl-") || mapped.contains("/libc.musl-");
        } catch (IOException noMaps) {
            return true;
        }
    }

    /** Returns the folder of the platform in the JAR. */
    String folder() {
        String system = os.startsWith("mac") ? "macos" : os.replace(' ', '-');
        return system + (musl ? "-musl-" : "-") + arch;
    }

    /** Returns what to do if the library of this platform is missing; {@code option} can name one. */
    String advice(String option) {
        if (os.startsWith("windows")) {
            return "leafmint does not support Windows: run the application in WSL 2 or in a Linux container";
        }
        String build =
                "build the library from leafmint's sources with `cargo build --profile dist --package leafmint-jni`"
                        + " and set " + option + " to its path";
        if (PUBLISHED.contains(folder())) {
            return "use a JAR that was built for this platform, or " + build;
        }
        List<String> published = PUBLISHED.stream().sorted().toList();
        return "leafmint is published for " + String.join(", ", published) + "; to try it elsewhere, " + build;
    }
}
