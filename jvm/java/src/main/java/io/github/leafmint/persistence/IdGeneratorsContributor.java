package io.github.leafmint.persistence;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.service.spi.ServiceRegistryImplementor;

/**
 * Adds leafmint's generators to the services of a session factory. Hibernate finds it through
 * {@code META-INF/services}.
 *
 * <pre>{@code
 * new StandardServiceRegistryBuilder().applySetting(HibernateSettings.SEGMENT_GENERATOR, ids).build();
 * }</pre>
 */
public final class IdGeneratorsContributor implements ServiceContributor {
    /** Creates the contributor. */
    public IdGeneratorsContributor() {}

    @Override
    public void contribute(StandardServiceRegistryBuilder registry) {
        registry.addInitiator(new Initiator());
    }

    private static final class Initiator implements StandardServiceInitiator<IdGenerators> {
        @Override
        public Class<IdGenerators> getServiceInitiated() {
            return IdGenerators.class;
        }

        @Override
        public IdGenerators initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return new IdGenerators(settings, registry);
        }
    }
}
