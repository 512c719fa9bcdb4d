package io.github.leafmint.persistence;

import io.github.leafmint.InvalidArgumentException;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.generator.Generator;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Tells Hibernate that 0 is no id where it asks no generator. Hibernate finds it through {@code META-INF/services}.
 *
 * <pre>{@code
 * new BootstrapServiceRegistryBuilder().applyIntegrator(new UnsetIdsIntegrator()).build();
 * }</pre>
 */
public final class UnsetIdsIntegrator implements Integrator {
    /** Creates the integrator. */
    public UnsetIdsIntegrator() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        EventListenerRegistry listeners = factory.getEventEngine().getListenerRegistry();
        listeners.appendListeners(EventType.PRE_UPSERT, new Upserts());
        listeners.prependListeners(EventType.MERGE, new Merges());
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {}

    /** An upsert asks no generator: it would write row 0, or a row without its numbers. */
    private static final class Upserts implements PreUpsertEventListener {
        @Override
        public boolean onPreUpsert(PreUpsertEvent event) {
            EntityPersister entity = event.getPersister();
            refuseUnset(entity, entity.getGenerator(), entity.getIdentifierPropertyName(), event.getId());
            Generator[] generators = entity.getEntityMetamodel().getGenerators();
            for (int property = 0; property < generators.length; property++) {
                String name = entity.getPropertyNames()[property];
                refuseUnset(entity, generators[property], name, event.getState()[property]);
            }
            return false;
        }

        private static void refuseUnset(EntityPersister entity, Generator generator, String name, Object value) {
            if (generator instanceof MintedIdGenerator<?> && IdConversion.isUnset(value)) {
                throw new InvalidArgumentException("upsert() cannot mint " + entity.getEntityName() + "." + name
                        + ", which is not set: insert() a new entity, or set it before");
            }
        }
    }

    /** A merge looks for the row of an id that is not null: row 0 may be there, from before it was none. */
    private static final class Merges implements MergeEventListener {
        @Override
        public void onMerge(MergeEvent event) {
            Object original = event.getOriginal();
            EventSource session = event.getSession();
            if (original instanceof HibernateProxy
                    || session.getPersistenceContextInternal().getEntry(original) != null) {
                return;
            }
            EntityPersister entity = session.getEntityPersister(event.getEntityName(), original);
            if (entity.getGenerator() instanceof MintedIdGenerator<?> minted
                    && !minted.isPrimitive()
                    && IdConversion.isUnset(entity.getIdentifier(original, session))) {
                entity.setIdentifier(original, null, session);
            }
        }

        @Override
        public void onMerge(MergeEvent event, MergeContext copied) {
            onMerge(event);
        }
    }
}
