package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** What an application with the starter gets that does not use leafmint. */
@Timeout(120)
class GuestTest {
    private static final String WITHOUT_DATABASE = "--spring.autoconfigure.exclude="
            + "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
            + "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration,"
            + "com.baomidou.dynamic.datasource.spring.boot.autoconfigure.DynamicDataSourceAutoConfiguration,"
            + "com.alibaba.druid.spring.boot3.autoconfigure.DruidDataSourceAutoConfigure";

    /** Refuses what is annotated, without a generator. */
    private static final List<String> REFUSING = List.of(
            "bean leafmintIdSources",
            "bean leafmintMintingSessions",
            "bean leafmintAnnotatedKeysCheck",
            "bean leafmintJdbcUnsetKeys",
            "bean leafmintJdbcIdCallback",
            "bean leafmintHibernateCustomizer",
            "bean leafmintGeneratorSettings");

    private static final List<String> ALWAYS = List.of(
            "bean leafmint-io.github.leafmint.spring.boot.LeafmintProperties",
            "bean leafmintSources",
            "bean leafmintGaplessSequences",
            "bean leafmintTypedIds",
            "bean leafmintDefaultTypedIds",
            "bean leafmintJackson2Module",
            "bean leafmintIdKeyMeters",
            "bean leafmintIdKeysSanitizer");

    /** Starts and ends in a JVM of its own, and prints what is leafmint's. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        public static void main(String[] arguments) throws IOException {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .run(arguments)) {
                Stream.of(context.getBeanDefinitionNames())
                        .filter(name -> name.startsWith("leafmint"))
                        .forEach(name -> System.out.println("bean " + name));
                threads().forEach(name -> System.out.println("thread " + name));
                if (Files.readString(Path.of("/proc/self/maps")).contains("leafmint_jni")) {
                    System.out.println("the native library");
                }
            }
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (!threads().isEmpty() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            threads().forEach(name -> System.out.println("thread " + name + " after the close"));
        }

        private static List<String> threads() {
            return Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("leafmint"))
                    .toList();
        }
    }

    @Test
    void anApplicationThatDoesNotUseLeafmintGetsNoGeneratorNorThread() throws Exception {
        var expected = new ArrayList<>(ALWAYS);
        expected.addAll(REFUSING);
        assertThat(ours(WITHOUT_DATABASE)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aGeneratorThatIsNotUsedHasTwoThreadsUntilTheContextCloses() throws Exception {
        var expected = new ArrayList<>(ALWAYS);
        expected.addAll(REFUSING);
        expected.addAll(List.of(
                "bean leafmintSegmentGenerator",
                "bean leafmintTags",
                "bean leafmintSeries",
                "bean leafmintAudit",
                "bean leafmintGenerators",
                "bean leafmintIdentifierGenerator",
                "bean leafmintHealthIndicator",
                "bean leafmintMeters",
                "bean leafmintRecentAudit",
                "thread leafmint-events",
                "thread leafmint-reaper",
                "the native library"));
        assertThat(ours(WITHOUT_DATABASE, "--leafmint.segment.url=mysql://127.0.0.1:1/shop"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void leafmintCanBeSwitchedOffAndThenRefusesWhatIsAnnotated() throws Exception {
        assertThat(ours(WITHOUT_DATABASE, "--leafmint.enabled=false")).containsExactlyInAnyOrderElementsOf(REFUSING);
    }

    private static List<String> ours(String... arguments) throws Exception {
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Application.class.getName()),
                        Arrays.stream(arguments))
                .collect(Collectors.toList());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines()
                .filter(line -> line.matches("(bean|thread) .*|the native library"))
                .toList();
    }
}
