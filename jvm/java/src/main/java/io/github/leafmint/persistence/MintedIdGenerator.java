package io.github.leafmint.persistence;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.function.LongSupplier;
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

    /** Opens the source of ids: only the first id does. */
    private transient Supplier<LongSupplier> opener;

    private transient volatile @Nullable LongSupplier ids;

    /** Finds the source of ids, which throws if no setting names a generator. */
    abstract Supplier<LongSupplier> find(A annotation, GeneratorCreationContext context, IdGenerators generators);

    @Override
    public final void initialize(A annotation, Member member, GeneratorCreationContext context) {
        String property = member.getDeclaringClass().getName() + "." + member.getName();
        conversion = IdConversion.to(typeOf(member, context), property);
        opener = find(annotation, context, context.getServiceRegistry().requireService(IdGenerators.class));
    }

    @Override
    public final Object generate(
            SharedSessionContractImplementor session, Object owner, @Nullable Object currentValue, EventType event) {
        return currentValue == null || conversion.isUnset(currentValue) ? conversion.convert(nextId()) : currentValue;
    }

    @Override
    public final EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    @Override
    public final boolean allowAssignedIdentifiers() {
        return true;
    }

    private long nextId() {
        LongSupplier opened = ids;
        if (opened == null) {
            opened = opener.get();
            ids = opened;
        }
        return opened.getAsLong();
    }

    /** Returns the declared type, or what Hibernate makes of a type variable of a superclass. */
    private static Class<?> typeOf(Member member, GeneratorCreationContext context) {
        Class<?> declared = member instanceof Field field ? field.getType() : ((Method) member).getReturnType();
        return IdConversion.isPossible(declared)
                ? declared
                : context.getProperty().getType().getReturnedClass();
    }
}
