package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.persistence.IdGeneratorsContributor;
import io.github.leafmint.persistence.LeafmintIdGenerator;
import io.github.leafmint.persistence.SnowflakeIdGenerator;
import java.util.List;
import org.hibernate.service.spi.ServiceContributor;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Keeps in a native image what Hibernate makes by reflection. */
class HibernateRuntimeHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, ClassLoader classLoader) {
        List.of(LeafmintIdGenerator.class, SnowflakeIdGenerator.class, IdGeneratorsContributor.class)
                .forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
        hints.resources().registerPattern("META-INF/services/" + ServiceContributor.class.getName());
    }
}
