package io.github.leafmint.spring.boot.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.data.relational.RelationalManagedTypes;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

class EntityTypedIdHintsTest {
    @IdForm(prefix = "order")
    static final class OrderId extends TypedId {
        private static final long serialVersionUID = 1L;

        public OrderId(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "line")
    static final class LineId extends TypedId {
        private static final long serialVersionUID = 1L;

        public LineId(long value) {
            super(value);
        }
    }

    static class Order {
        List<OrderId> others;
    }

    record Line(LineId id) {}

    private static RuntimeHints hints(DefaultListableBeanFactory beans) {
        var generated = new TestGenerationContext();
        var processor = AotServices.factories().load(BeanFactoryInitializationAotProcessor.class).stream()
                .filter(EntityTypedIdHints.class::isInstance)
                .findFirst()
                .orElseThrow();
        var contribution = processor.processAheadOfTime(beans);
        if (contribution != null) {
            contribution.applyTo(generated, null);
        }
        return generated.getRuntimeHints();
    }

    @Test
    void typedIdsOfEntitiesCanBeMadeInANativeImage() {
        var beans = new DefaultListableBeanFactory();
        beans.registerSingleton("jpa", PersistenceManagedTypes.of(Order.class.getName()));
        beans.registerSingleton("relational", RelationalManagedTypes.fromIterable(List.of(Line.class)));
        RuntimeHints hints = hints(beans);
        for (Class<?> type : List.of(OrderId.class, LineId.class)) {
            assertThat(RuntimeHintsPredicates.reflection().onConstructor(type.getConstructors()[0]))
                    .accepts(hints);
        }
    }

    @Test
    void withoutEntitiesThereAreNoHints() {
        assertThat(hints(new DefaultListableBeanFactory()).reflection().typeHints())
                .isEmpty();
    }
}
