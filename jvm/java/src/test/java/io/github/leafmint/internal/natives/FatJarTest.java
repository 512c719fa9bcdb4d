package io.github.leafmint.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.leafmint.JavaProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.loader.launch.JarLauncher;

/** Packs a program as Spring Boot does: leafmint is a JAR within a JAR, and another class loader loads it. */
@Timeout(60)
class FatJarTest {
    @Test
    void aFatJarLoadsTheLibraryFromItsNestedJar(@TempDir Path directory) throws Exception {
        Path fat = directory.resolve("app.jar");
        var manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.getMainAttributes().putValue("Main-Class", JarLauncher.class.getName());
        manifest.getMainAttributes().putValue("Start-Class", NativeLibraryTest.Mint.class.getName());
        manifest.getMainAttributes().putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
        manifest.getMainAttributes().putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
        try (var jar = new JarOutputStream(Files.newOutputStream(fat), manifest)) {
            copyLoader(jar);
            jar.putNextEntry(new JarEntry("BOOT-INF/"));
            jar.putNextEntry(new JarEntry("BOOT-INF/classes/"));
            String main = NativeLibraryTest.Mint.class.getName().replace('.', '/') + ".class";
            jar.putNextEntry(new JarEntry("BOOT-INF/classes/" + main));
            jar.write(Files.readAllBytes(Path.of("target/test-classes", main)));
            jar.putNextEntry(new JarEntry("BOOT-INF/lib/"));
            store(jar, "BOOT-INF/lib/leafmint.jar", ourJar());
        }
        var java = JavaProcess.run(List.of("-jar", fat.toString()));
        // Without SLF4J the JVM's own logger prints lines of its own.
        List<String> ids =
                java.output().lines().filter(line -> line.startsWith("id ")).toList();
        assertEquals(List.of("id 1", "id 2"), ids, java.output());
    }

    private static void copyLoader(JarOutputStream jar) throws Exception {
        Path loader = Path.of(JarLauncher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (var source = new JarFile(loader.toFile())) {
            for (JarEntry entry : source.stream()
                    .filter(entry -> entry.getName().startsWith("org/"))
                    .toList()) {
                jar.putNextEntry(new JarEntry(entry.getName()));
                try (InputStream bytes = source.getInputStream(entry)) {
                    bytes.transferTo(jar);
                }
            }
        }
    }

    /** Adds a JAR without compression, so that it can be read in place. */
    private static void store(JarOutputStream jar, String name, byte[] bytes) throws IOException {
        var entry = new JarEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        var sum = new CRC32();
        sum.update(bytes);
        entry.setCrc(sum.getValue());
        jar.putNextEntry(entry);
        jar.write(bytes);
    }

    private static byte[] ourJar() throws IOException {
        var bytes = new ByteArrayOutputStream();
        Path classes = Path.of("target/classes");
        try (var jar = new JarOutputStream(bytes);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, jar);
            }
        }
        return bytes.toByteArray();
    }
}
