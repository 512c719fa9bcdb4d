package io.github.leafmint.persistence;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.ids.TypedId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import java.lang.reflect.AnnotatedElement;
import java.util.Map;
import org.hibernate.boot.model.source.internal.ImplicitColumnNamingSecondPass;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.java.SerializableJavaType;
import org.hibernate.type.descriptor.java.spi.JavaTypeRegistry;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.hibernate.type.spi.TypeConfiguration;
import org.hibernate.type.spi.TypeConfigurationAware;
import org.jspecify.annotations.Nullable;

/**
 * Registers a type for each class of typed ids that the entities use. Hibernate creates it for this package, which
 * {@link TypedIdContributor} adds to its sources, before it binds the entities.
 *
 * <pre>{@code
 * @Id
 * @SegmentId("order")
 * private OrderId id;
 * }</pre>
 */
public final class TypedIdFinder extends AbstractClassJavaType<TypedId> implements TypeConfigurationAware {
    private static final long serialVersionUID = 1L;

    private transient @Nullable TypeConfiguration types;

    /** Creates a finder that waits for the entities. */
    public TypedIdFinder() {
        super(TypedId.class);
    }

    @Override
    public @Nullable TypeConfiguration getTypeConfiguration() {
        return types;
    }

    @Override
    @SuppressWarnings("deprecation") // Deprecated in 6.6, and not in 7: there is no other way to the entities.
    public void setTypeConfiguration(TypeConfiguration types) {
        this.types = types;
        // Entities are known by then, and no column has its type yet.
        ImplicitColumnNamingSecondPass register = entities -> register(entities, types.getJavaTypeRegistry());
        types.getMetadataBuildingContext().getMetadataCollector().addSecondPass(register);
    }

    private static void register(Map<String, PersistentClass> entities, JavaTypeRegistry registry) {
        for (PersistentClass entity : entities.values()) {
            if (entity.hasPojoRepresentation()) {
                for (Class<? extends TypedId> type :
                        TypedIdClasses.of(entity.getMappedClass(), TypedIdFinder::isEmbedded)) {
                    register(type, registry);
                }
            }
        }
    }

    private static boolean isEmbedded(AnnotatedElement element) {
        return element.isAnnotationPresent(Embeddable.class)
                || element.isAnnotationPresent(Embedded.class)
                || element.isAnnotationPresent(EmbeddedId.class);
    }

    private static void register(Class<? extends TypedId> type, JavaTypeRegistry registry) {
        JavaType<?> known = registry.findDescriptor(type);
        refuseSerialized(known);
        // The application may have its own.
        if (known == null) {
            registry.addDescriptor(new TypedIdJavaType<>(type));
        }
    }

    /** Refuses what Hibernate makes of a class that it does not know: a column of bytes. */
    static void refuseSerialized(@Nullable JavaType<?> known) {
        if (known instanceof SerializableJavaType<?> && TypedId.class.isAssignableFrom(known.getJavaTypeClass())) {
            throw new InvalidConfigException("Hibernate would serialize " + known.getTypeName()
                    + " into a column of bytes: give the property a class with @IdForm, or register a JavaType for it");
        }
    }

    @Override
    public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
        throw new InvalidConfigException(
                "TypedId is abstract, so no row can be read as one: give the property a class of its own");
    }

    @Override
    public <X> X unwrap(TypedId value, Class<X> type, WrapperOptions options) {
        throw unknownUnwrap(type);
    }

    @Override
    public <X> TypedId wrap(X value, WrapperOptions options) {
        throw unknownWrap(value.getClass());
    }
}
