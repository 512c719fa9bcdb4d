package io.github.leafmint.spring.boot.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The classes on the pages "Entities and rows" and "Coming from …" compile. */
class PersistencePageTest {
    private static final Path PAGES = Path.of("../../docs");
    private static final Pattern BLOCK =
            Pattern.compile("<!-- not run: PersistencePageTest compiles it -->\\n```java\\n(.*?)```", Pattern.DOTALL);
    private static final String IMPORTS = """
            import com.baomidou.mybatisplus.annotation.*;
            import io.github.leafmint.*;
            import io.github.leafmint.ids.*;
            import io.github.leafmint.jackson.*;
            import io.github.leafmint.persistence.*;
            import jakarta.persistence.*;
            import java.util.*;
            import org.apache.ibatis.annotations.Insert;
            import org.springframework.data.jpa.repository.JpaRepository;
            """;

    @ParameterizedTest
    @CsvSource({"persistence.md, 7", "coming-from.md, 1"})
    void theClassesOfThePageCompile(String page, int classes, @TempDir Path folder) throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(PAGES.resolve(page)))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(classes);
        Path source = Files.writeString(folder.resolve("Page.java"), IMPORTS + String.join("\n", blocks));
        var messages = new ByteArrayOutputStream();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, messages, "-proc:none", "-cp", classPath, "-d", folder.toString(), source.toString());
        assertThat(failed).as(messages.toString()).isZero();
    }
}
