package io.github.leafmint.spring.boot.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import io.github.leafmint.persistence.SnowflakeId;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.JavaTypeRegistration;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.MetadataSourcesContributor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.ServiceContributor;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class HibernateRuntimeHintsTest {
    private final RuntimeHints hints = new RuntimeHints();

    HibernateRuntimeHintsTest() {
        new LeafmintHibernateAutoConfiguration.HibernateRuntimeHints()
                .registerHints(hints, getClass().getClassLoader());
    }

    @Test
    void theGeneratorsOfTheAnnotationsCanBeMade() {
        assertThat(Stream.of(SegmentId.class, SnowflakeId.class, SeriesValue.class))
                .extracting(annotation ->
                        annotation.getAnnotation(IdGeneratorType.class).value())
                .allSatisfy(this::canBeMade);
    }

    @Test
    void theServicesOfHibernateAreFoundAndCanBeMade() {
        for (Class<?> service : List.of(
                ServiceContributor.class,
                MetadataSourcesContributor.class,
                AdditionalMappingContributor.class,
                Integrator.class)) {
            assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/services/" + service.getName()))
                    .accepts(hints);
            assertThat(ServiceLoader.load(service))
                    .extracting(Object::getClass)
                    .filteredOn(type -> type.getName().startsWith("io.github.leafmint"))
                    .isNotEmpty()
                    .allSatisfy(this::canBeMade);
        }
    }

    @Test
    void theAnnotatedPackageIsFoundAndItsTypeCanBeMade() throws ClassNotFoundException {
        var annotated = Class.forName(SegmentId.class.getPackageName() + ".package-info");
        assertThat(RuntimeHintsPredicates.reflection().onType(annotated)).accepts(hints);
        canBeMade(annotated.getAnnotation(JavaTypeRegistration.class).descriptorClass());
    }

    private void canBeMade(Class<?> type) {
        assertThat(RuntimeHintsPredicates.reflection().onConstructor(type.getConstructors()[0]))
                .accepts(hints);
    }
}
