package io.github.leafmint.persistence;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/** Sets ids that are minted in the application, before the insert, so that inserts can be batched. */
abstract class MintedIdGenerator<A extends Annotation>
        implements BeforeExecutionGenerator, AnnotationBasedGenerator<A> {
    private static final long serialVersionUID = 1L;

    private transient IdConversion conversion;
    private transient boolean primitive;

    /** Opens the source of ids: only the first id does. */
    private transient Supplier<Supplier<Object>> opener;

    private transient volatile @Nullable Supplier<Object> ids;

    /** The annotated property. */
    record Minted(String name, IdConversion conversion, GeneratorCreationContext context) {}

    /** Finds the source of ids, which throws if no setting names a generator. */
    abstract Supplier<Supplier<Object>> find(A annotation, Minted property, IdGenerators generators);

    @Override
    public final void initialize(A annotation, Member member, GeneratorCreationContext context) {
        String property = member.getDeclaringClass().getName() + "." + member.getName();
        Class<?> type = typeOf(member, context);
        primitive = type.isPrimitive();
        conversion = IdConversion.to(type, property);
        IdGenerators generators = context.getServiceRegistry().requireService(IdGenerators.class);
        opener = find(annotation, new Minted(property, conversion, context), generators);
    }

    @Override
    public final Object generate(
            SharedSessionContractImplementor session, Object owner, @Nullable Object currentValue, EventType event) {
        return currentValue == null || IdConversion.isUnset(currentValue) ? next() : currentValue;
    }

    @Override
    public final EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    /** Returns whether the property cannot be null. */
    final boolean isPrimitive() {
        return primitive;
    }

    @Override
    public final boolean allowAssignedIdentifiers() {
        return true;
    }

    private Object next() {
        Supplier<Object> opened = ids;
        if (opened == null) {
            opened = opener.get();
            ids = opened;
        }
        return opened.get();
    }

    /** Returns the declared type, or what Hibernate makes of a type variable of a superclass. */
    private static Class<?> typeOf(Member member, GeneratorCreationContext context) {
        Class<?> declared = member instanceof Field field ? field.getType() : ((Method) member).getReturnType();
        return IdConversion.isPossible(declared)
                ? declared
                : context.getProperty().getType().getReturnedClass();
    }
}
