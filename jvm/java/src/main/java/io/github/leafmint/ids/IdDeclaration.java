package io.github.leafmint.ids;

import static java.lang.invoke.MethodType.methodType;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a class of typed ids declares, read once and checked. */
final class IdDeclaration {
    private static final ClassValue<IdDeclaration> KNOWN = new ClassValue<>() {
        @Override
        protected IdDeclaration computeValue(Class<?> type) {
            return read(type);
        }
    };

    private final Handle handle;
    private final MethodHandle constructor;

    /** The name of the tag; empty for none. */
    final String tag;

    /** Whether new ids are snowflakes. */
    final boolean snowflake;

    private IdDeclaration(long handle, MethodHandle constructor, IdForm form) {
        this.handle = new Handle(handle, Native::idTextFree);
        this.constructor = constructor;
        this.tag = form.tag();
        this.snowflake = form.snowflake();
    }

    /**
     * Returns the declaration of a class.
     *
     * @throws InvalidConfigException if it is wrong
     */
    static IdDeclaration of(Class<? extends TypedId> type) {
        return KNOWN.get(type);
    }

    private static IdDeclaration read(Class<?> type) {
        IdForm form = type.getDeclaredAnnotation(IdForm.class);
        if (form == null) {
            throw wrong(type, "it declares no text: annotate it with @IdForm(prefix = \"…\")", null);
        }
        MethodHandle constructor = constructor(type);
        NativeLibrary.require();
        if (form.snowflake() && !form.tag().isEmpty()) {
            throw wrong(type, "tag and snowflake: new ids come from one of them", null);
        }
        return new IdDeclaration(naming(type, () -> text(form)), constructor, form);
    }

    private static long text(IdForm form) {
        boolean hasKeyNumber = form.keyNumber() != -1;
        return Native.idTextOf(
                form.form().name().toLowerCase(Locale.ROOT),
                Text.nameInConfig("the name", form.name()),
                given("the prefix", form.prefix()),
                given("the format", form.format()),
                hasKeyNumber,
                form.keyNumber());
    }

    private static @Nullable String given(String what, String text) {
        return text.isEmpty() ? null : Text.nameInConfig(what, text);
    }

    private static MethodHandle constructor(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            throw wrong(type, "it is abstract: annotate the classes that extend it", null);
        }
        try {
            Constructor<?> constructor = type.getConstructor(long.class);
            // A class that is not public may have a public constructor.
            constructor.trySetAccessible();
            return MethodHandles.lookup()
                    .unreflectConstructor(constructor)
                    .asType(methodType(TypedId.class, long.class));
        } catch (NoSuchMethodException missing) {
            throw wrong(type, "it has no public constructor that takes one long", missing);
        } catch (IllegalAccessException closed) {
            throw wrong(type, "leafmint may not call its constructor: make it public, or open its package", closed);
        }
    }

    static InvalidConfigException wrong(Class<?> type, String problem, @Nullable Exception cause) {
        var failure = new InvalidConfigException(type.getName() + ": " + problem);
        return cause == null ? failure : (InvalidConfigException) failure.initCause(cause);
    }

    /** Gets a native value, and names the class if the core refuses it. */
    static long naming(Class<?> type, Opening opening) {
        try {
            return opening.open();
        } catch (InvalidConfigException refused) {
            throw wrong(type, String.valueOf(refused.getMessage()), refused);
        }
    }

    /** Makes a native value. */
    interface Opening {
        long open();
    }

    TypedId make(long value) {
        try {
            return (TypedId) constructor.invokeExact(value);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    String pattern() {
        try {
            return Native.idTextPattern(handle.value());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    String example() {
        try {
            return Native.idTextExample(handle.value());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    boolean needsKeys() {
        try {
            return Native.idTextNeedsKeys(handle.value()) != 0;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Returns the native value of the text with its keys. */
    long bind(@Nullable IdKeys keys) {
        try {
            return Native.idTextBind(handle.value(), keys == null ? 0 : keys.handle());
        } finally {
            Reference.reachabilityFence(keys);
            Reference.reachabilityFence(this);
        }
    }
}
