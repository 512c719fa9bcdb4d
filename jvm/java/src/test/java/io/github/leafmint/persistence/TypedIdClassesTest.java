package io.github.leafmint.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.leafmint.OrderId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TypedIdClassesTest {
    static class Missing {}

    static class Base<T> {}

    static class Sub extends Base<Missing> {}

    static class Service {
        Missing missing;
    }

    static class Shop {
        List<Missing> first;
        Sub sub;
        Service service;
        OrderId id;
    }

    /** Loads the classes of this test anew, except the missing one. */
    private static final class WithoutMissing extends ClassLoader {
        WithoutMissing() {
            super(TypedIdClassesTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Missing.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return name.startsWith(TypedIdClassesTest.class.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    /** Of a library that is optional, as in the class of a property that is not stored. */
    @Test
    void aClassThatIsMissingHidesNoOther() throws Exception {
        Class<?> shop = new WithoutMissing().loadClass(Shop.class.getName());
        assertEquals(
                Set.of(OrderId.class.getName()),
                TypedIdClasses.of(shop).stream().map(Class::getName).collect(Collectors.toSet()));
    }
}
