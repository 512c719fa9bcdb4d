package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.persistence.IdConversion;
import java.util.ArrayList;
import java.util.List;
import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.reflection.MetaObject;

/** The annotated properties of the objects that one call of an insert is given. */
final class InsertedIds {
    private final MappedStatement statement;
    private final List<Inserted> written = new ArrayList<>();
    private final List<Inserted> generated = new ArrayList<>();

    /** A property of an object, and the value that its row gets. */
    record Inserted(Class<?> type, AnnotatedFields.AnnotatedField field, Object value) {}

    InsertedIds(MappedStatement statement) {
        this.statement = statement;
    }

    /** Mints the value of a new object. */
    void mint(Object entity, AnnotatedFields.AnnotatedField field) {
        MetaObject properties = statement.getConfiguration().newMetaObject(entity);
        Object assigned = properties.getValue(field.property());
        boolean isNew = IdConversion.isUnset(assigned);
        if (isNew) {
            properties.setValue(field.property(), field.values().next());
        }
        boolean hasGenerator = isSetByKeyGenerator(field.property());
        if (isNew || hasGenerator) {
            var inserted = new Inserted(entity.getClass(), field, properties.getValue(field.property()));
            written.add(inserted);
            if (hasGenerator) {
                generated.add(inserted);
            }
        }
    }

    private boolean isSetByKeyGenerator(String property) {
        if (statement.getKeyProperties() == null || statement.getKeyGenerator() instanceof NoKeyGenerator) {
            return false;
        }
        for (String key : statement.getKeyProperties()) {
            if (key.substring(key.lastIndexOf('.') + 1).equals(property)) {
                return true;
            }
        }
        return false;
    }

    MappedStatement statement() {
        return statement;
    }

    /** Returns the values that the statement must write, or the objects would know others than their rows. */
    List<Inserted> written() {
        return written;
    }

    /** Returns whether a key generator of MyBatis would set an annotated property, too. */
    boolean isGenerated() {
        return !generated.isEmpty();
    }

    /** Returns the name of the property that a key generator would set. */
    String generatedName() {
        Inserted first = generated.get(0);
        return first.type().getName() + "." + first.field().property();
    }
}
