package io.github.leafmint.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlatformTest {
    private static final String GLIBC = "7f00-7f28 r-xp 00000000 fe:00 1 /usr/lib/x86_64-linux-gnu/libc.so.6\n";
    private static final String MUSL = "7f00-7f28 r-xp 00000000 fe:00 1 /lib/ld-musl-x86_64.so.1\n";

    @Test
    void eachPublishedPlatformHasItsFolder() {
        assertEquals("linux-x86_64", new Platform("linux", "x86_64", false).folder());
        assertEquals("linux-musl-aarch64", new Platform("linux", "aarch64", true).folder());
        assertEquals("macos-aarch64", new Platform("mac os x", "aarch64", false).folder());
    }

    @Test
    void thisJvmIsOnAPublishedPlatform() {
        assertTrue(Platform.PUBLISHED.contains(Platform.current().folder()));
    }

    @Test
    void whatTheProcessMappedTellsMuslFromGlibc(@TempDir Path directory) throws Exception {
        Path loader = Files.createFile(directory.resolve("ld-musl-x86_64.so.1"));
        Path glibc = Files.writeString(directory.resolve("glibc"), GLIBC);
        Path musl = Files.writeString(directory.resolve("musl"), MUSL);
        assertTrue(Platform.isMusl(loader, musl));
        assertFalse(Platform.isMusl(loader, glibc), "a system with glibc that has musl's loader too");
        assertFalse(Platform.isMusl(directory.resolve("none"), musl), "read only if musl's loader exists");
        assertTrue(Platform.isMusl(loader, directory.resolve("none")), "without /proc the loader decides");
    }

    @Test
    void aPlatformThatIsNotPublishedGetsTheNamesOfTheOthers() {
        String advice = new Platform("freebsd", "x86_64", false).advice("-Dpath");
        assertTrue(advice.contains("linux-aarch64, linux-musl-aarch64"), advice);
        assertTrue(advice.contains("cargo build --profile dist --package leafmint-jni"), advice);
    }

    @Test
    void windowsGetsAWayToRun() {
        assertTrue(new Platform("windows 11", "x86_64", false)
                .advice("-Dpath")
                .endsWith("in WSL 2 or in a Linux container"));
    }
}
