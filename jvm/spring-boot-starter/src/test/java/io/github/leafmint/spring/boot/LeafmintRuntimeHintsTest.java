package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.LeafmintException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class LeafmintRuntimeHintsTest {
    private final RuntimeHints hints = new RuntimeHints();

    LeafmintRuntimeHintsTest() {
        new LeafmintRuntimeHints().registerHints(hints, getClass().getClassLoader());
    }

    @Test
    void theNativeLibraryIsKept() {
        assertThat(RuntimeHintsPredicates.resource().forResource("native/linux-x86_64/libleafmint_jni.so"))
                .accepts(hints);
    }

    @Test
    void everyExceptionOfTheNativeLibraryIsKept() {
        List<String> kept =
                hints.jni().typeHints().map(hint -> hint.getType().getName()).toList();
        for (Class<?> type : LeafmintException.class.getPermittedSubclasses()) {
            assertThat(kept).contains(TypeReference.of(type).getName());
        }
    }
}
