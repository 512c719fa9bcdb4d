package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.ids.IdKeys;
import io.github.leafmint.ids.PublicIds;
import io.github.leafmint.ids.ScrambledNumbers;
import io.github.leafmint.sharding.ShardRule;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mocking and serialisation libraries make objects without a constructor. Such an object refuses every call. */
@Timeout(60)
class WithoutConstructorTest {
    /** Calls every public method of each class that has a native value, and prints each unexpected outcome. */
    static final class Call {
        private static final List<Class<?>> CLASSES = List.of(
                SegmentGenerator.class,
                Tag.class,
                Series.class,
                GaplessSequence.class,
                SnowflakeGenerator.class,
                Layout.class,
                ShardRule.class,
                IdFormat.class,
                IdKeys.class,
                PublicIds.class,
                ScrambledNumbers.class,
                VirtualClock.class);

        public static void main(String[] arguments) throws Exception {
            SegmentGenerator.open("memory:").close(); // loads the library
            int calls = 0;
            for (Class<?> type : CLASSES) {
                Object object = allocate(type);
                for (Method method : type.getDeclaredMethods()) {
                    int modifiers = method.getModifiers();
                    if (Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers)) {
                        calls++;
                        check(object, method);
                    }
                }
            }
            System.out.println("called " + (calls > 60 ? "all" : calls));
        }

        private static void check(Object object, Method method) throws Exception {
            Object[] given = List.of(method.getParameterTypes()).stream()
                    .map(type -> argument(type, object))
                    .toArray();
            Throwable failure = null;
            try {
                if (method.invoke(object, given) instanceof CompletableFuture<?> future) {
                    future.join();
                }
            } catch (InvocationTargetException | CompletionException thrown) {
                failure = thrown.getCause();
            }
            String name = object.getClass().getSimpleName();
            if (!(failure instanceof InvalidArgumentException)
                    || !failure.getMessage().contains(name + " was made without its constructor")) {
                System.out.println(method + ": " + failure);
            }
        }

        private static Object argument(Class<?> type, Object object) {
            if (type == long.class || type == int.class) {
                return Array.get(Array.newInstance(type, 1), 0).equals(0) ? (Object) 1 : 1L;
            }
            if (type == boolean.class) {
                return true;
            }
            if (type == long[].class) {
                return new long[2];
            }
            if (type == String[].class) {
                return new String[] {"order"};
            }
            LongSupplier one = () -> 1;
            Consumer<String> none = text -> {};
            NumberParts parts = NumberParts.of(1);
            Object connection = Proxy.newProxyInstance(
                    Call.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, given) -> null);
            for (Object value : List.of(
                    "order",
                    Duration.ofSeconds(1),
                    Instant.now(),
                    LocalDate.EPOCH,
                    new TagOptions(),
                    one,
                    none,
                    parts,
                    connection,
                    object)) {
                if (type.isInstance(value)) {
                    return value;
                }
            }
            throw new AssertionError("no argument of " + type);
        }

        /** Uses reflection, because javac warns about the class. */
        private static Object allocate(Class<?> type) throws Exception {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            var field = unsafe.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type);
        }
    }

    @Test
    void anObjectMadeWithoutItsConstructorRefusesEveryCall() throws Exception {
        var java = JavaProcess.run(List.of(), Call.class);
        assertEquals(0, java.status(), java.output());
        assertTrue(
                java.output().endsWith("called all\n") && java.output().lines().count() == 1, java.output());
    }
}
