package io.github.leafmint.spring.boot;

import io.github.leafmint.LeafmintException;
import java.util.Arrays;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Keeps in a native image what leafmint's native library looks up: itself, and the exceptions that it throws. */
class LeafmintRuntimeHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, ClassLoader classLoader) {
        hints.resources().registerPattern("native/**");
        Arrays.stream(LeafmintException.class.getPermittedSubclasses()).forEach(type -> register(type, hints));
        // What a bug is thrown as.
        register(IllegalStateException.class, hints);
        // A generator that Spring does not close looks at the hooks that still run.
        hints.jni()
                .registerType(TypeReference.of("java.lang.ApplicationShutdownHooks"), type -> type.withField("hooks"));
    }

    private static void register(Class<?> thrown, RuntimeHints hints) {
        hints.jni().registerType(thrown, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
    }
}
