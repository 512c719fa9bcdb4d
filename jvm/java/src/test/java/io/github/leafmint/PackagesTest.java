package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Users can do without the packages below {@code internal}. */
class PackagesTest {
    private static final Path CLASSES = Path.of("target/classes");
    private static final String INTERNAL = "io.github.leafmint.internal";

    @Test
    void noPublicTypeShowsMachinery() throws Exception {
        List<Class<?>> types = publicTypes();
        assertTrue(types.size() > 60, types::toString);
        for (Class<?> type : types) {
            for (String shown : shownBy(type)) {
                assertTrue(!shown.contains(INTERNAL), type + " shows " + shown);
            }
        }
    }

    @Test
    void whatTheApiReturnsCanGrow() throws Exception {
        for (Class<?> type : publicTypes()) {
            assertFalse(type.isRecord(), () -> type + " is a record: no value can be added to it");
            assertFalse(
                    Throwable.class.isAssignableFrom(type) && type.isSealed(),
                    () -> type + " is sealed: a new kind of error would break a switch");
        }
    }

    static List<Class<?>> publicTypes() throws IOException, ClassNotFoundException {
        var types = new ArrayList<Class<?>>();
        try (Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file : files.map(CLASSES::relativize).toList()) {
                String name = file.toString().replace('/', '.');
                if (name.endsWith(".class") && !name.startsWith(INTERNAL) && !name.contains("package-info")) {
                    Class<?> type = Class.forName(
                            name.substring(0, name.length() - ".class".length()),
                            false,
                            PackagesTest.class.getClassLoader());
                    if (Modifier.isPublic(type.getModifiers())) {
                        types.add(type);
                    }
                }
            }
        }
        return types;
    }

    private static List<String> shownBy(Class<?> type) {
        var shown = new ArrayList<String>();
        shown.add(String.valueOf(type.getGenericSuperclass()));
        for (Executable call : Stream.concat(
                        Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
                .filter(PackagesTest::isShown)
                .toList()) {
            shown.add(call.toGenericString());
        }
        Stream.of(type.getDeclaredFields())
                .filter(PackagesTest::isShown)
                .map(Field::toGenericString)
                .forEach(shown::add);
        return shown;
    }

    private static boolean isShown(Member member) {
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0 && !member.isSynthetic();
    }
}
