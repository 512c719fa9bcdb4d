package io.github.leafmint.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Compiles and runs the classes of tests on the page "Testing your code". */
@Timeout(60)
class PageExamplesTest {
    private static final String PAGE = "docs/testing-your-code.md";
    private static final Pattern BLOCK = Pattern.compile(
            "<!-- not run: JUnit runs it, in \\S+/PageExamplesTest.java -->\\n```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("^class (\\w+)", Pattern.MULTILINE);

    @TempDir
    Path directory;

    @Test
    void theTestsOfThePagePass() throws Exception {
        List<String> blocks = BLOCK.matcher(Files.readString(top().resolve(PAGE)))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertEquals(2, blocks.size());
        assertEquals(21, run(blocks.get(0)));
        assertEquals(1, run(blocks.get(1)));
    }

    /** Runs a class of tests, all of which must pass, and returns their number. */
    private long run(String source) throws Exception {
        String name = CLASS.matcher(source)
                .results()
                .findFirst()
                .map(found -> found.group(1))
                .orElseThrow();
        Path file = Files.writeString(directory.resolve(name + ".java"), "package example;\n" + source);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", classPath, "-d", directory.toString(), file.toString());
        assertEquals(0, failed, "compiling " + name);
        try (var loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            Events tests = EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(loader.loadClass("example." + name)))
                    .execute()
                    .testEvents();
            assertEquals(tests.started().count(), tests.succeeded().count(), () -> tests.failed()
                    .list()
                    .toString());
            return tests.succeeded().count();
        } finally {
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        }
    }

    private static Path top() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve(PAGE))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
