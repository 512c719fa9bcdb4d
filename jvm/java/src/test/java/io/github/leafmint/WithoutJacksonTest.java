package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Typed ids in an application that has neither Jackson nor another library. */
@Timeout(60)
class WithoutJacksonTest {
    private static final String SOURCE = """
            package shop;

            import io.github.leafmint.ids.*;

            @IdForm(form = IdForm.Form.DECIMAL)
            public final class OrderId extends TypedId {
                private static final long serialVersionUID = 1L;

                public OrderId(long value) {
                    super(value);
                }

                public static void main(String[] arguments) {
                    System.out.println(new OrderId(42));
                }
            }
            """;

    /** A processor that looks at the annotations of each class's superclasses, as MapStruct's does. */
    private static final class Looking extends AbstractProcessor {
        @Override
        public Set<String> getSupportedAnnotationTypes() {
            return Set.of("*");
        }

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return SourceVersion.latest();
        }

        @Override
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
            for (Element type : round.getRootElements()) {
                TypeMirror superclass = ((TypeElement) type).getSuperclass();
                for (AnnotationMirror annotation :
                        processingEnv.getTypeUtils().asElement(superclass).getAnnotationMirrors()) {
                    annotation.getAnnotationType().asElement().getAnnotationMirrors();
                }
            }
            return true;
        }
    }

    @Test
    void anIdCompilesWithoutAWarningAndRuns(@TempDir Path directory) throws Exception {
        Path source = Files.writeString(directory.resolve("OrderId.java"), SOURCE);
        String classes = String.join(File.pathSeparator, classPath(), directory.toString());
        var compiler = ToolProvider.getSystemJavaCompiler();
        var output = new StringWriter();
        boolean compiled;
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var options = List.of("-Xlint:all", "-Werror", "-cp", classes, "-d", directory.toString());
            var task = compiler.getTask(output, files, null, options, null, files.getJavaFileObjects(source));
            task.setProcessors(List.of(new Looking()));
            compiled = task.call();
        }
        assertEquals("", output.toString());
        assertEquals(true, compiled);
        var java = JavaProcess.run(List.of("-cp", classes, "shop.OrderId"));
        assertEquals("42\n", java.output());
    }

    /** Returns leafmint and the one library that it always has. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(".*/(target/classes|leafmint-[0-9][^/]*\\.jar|jspecify[^/]*)"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
