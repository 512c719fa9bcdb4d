package io.github.leafmint.spring.boot.gapless;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes on the page "Human-readable numbers" compile. */
class NumbersPageTest {
    private static final Path PAGE = Path.of("../../docs/numbers.md");
    private static final Pattern BLOCK =
            Pattern.compile("<!-- not run: NumbersPageTest compiles it -->\\n```java\\n(.*?)```", Pattern.DOTALL);
    private static final String IMPORTS = """
            import io.github.leafmint.*;
            import io.github.leafmint.spring.boot.gapless.*;
            import java.sql.Connection;
            import java.sql.SQLException;
            import java.time.LocalDate;
            import java.time.ZoneId;
            import org.springframework.beans.factory.annotation.Qualifier;
            import org.springframework.jdbc.core.JdbcTemplate;
            import org.springframework.stereotype.Service;
            import org.springframework.transaction.annotation.Transactional;
            """;

    @Test
    void theClassesOfThePageCompile(@TempDir Path folder) throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(2);
        Path source = Files.writeString(folder.resolve("Page.java"), IMPORTS + String.join("\n", blocks));
        var messages = new ByteArrayOutputStream();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, messages, "-proc:none", "-cp", classPath, "-d", folder.toString(), source.toString());
        assertThat(failed).as(messages.toString()).isZero();
    }
}
