package io.github.leafmint.spring.boot.mybatis;

import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.ClassUtils;
import com.baomidou.mybatisplus.core.toolkit.ReflectionKit;
import io.github.leafmint.IdSource;
import io.github.leafmint.persistence.IdConversion;
import io.github.leafmint.spring.boot.persistence.IdAnnotations;
import io.github.leafmint.spring.boot.persistence.IdSources;
import java.lang.reflect.Field;
import java.util.function.LongSupplier;

/**
 * Mints {@code ASSIGN_ID}: from the tag that the key's annotation names, else a snowflake. Without a snowflake
 * generator keys that have no annotation stay those of MyBatis-Plus.
 */
class MybatisPlusIdentifierGenerator implements IdentifierGenerator {
    private final IdSources sources;
    private final ClassValue<LongSupplier> ids = new ClassValue<>() {
        @Override
        protected LongSupplier computeValue(Class<?> type) {
            return find(ClassUtils.getUserClass(type));
        }
    };

    MybatisPlusIdentifierGenerator(IdSources sources) {
        this.sources = sources;
    }

    @Override
    public Number nextId(Object entity) {
        // Applications ask without an entity, too.
        LongSupplier source = entity == null ? notAnnotated("nextId(null)") : ids.get(entity.getClass());
        return source.getAsLong();
    }

    private LongSupplier notAnnotated(String user) {
        if (sources.hasSnowflakes()) {
            return sources.snowflake(user);
        }
        IdentifierGenerator own = DefaultIdentifierGenerator.getInstance();
        return () -> own.nextId(null).longValue();
    }

    private LongSupplier find(Class<?> type) {
        TableInfo table = TableInfoHelper.getTableInfo(type);
        Field key = table == null ? null : ReflectionKit.getFieldMap(type).get(table.getKeyProperty());
        IdSource annotated = key == null ? null : annotated(key, table);
        LongSupplier source = annotated == null ? notAnnotated("the ASSIGN_ID of " + type.getName()) : annotated;
        boolean isInt = table != null && table.getKeyType() == Integer.class;
        return isInt ? fittingAnInt(source, type.getName() + "." + table.getKeyProperty()) : source;
    }

    private IdSource annotated(Field key, TableInfo table) {
        String property = table.getEntityType().getName() + "." + key.getName();
        return sources.find(
                IdAnnotations.only(key::getAnnotation, property), () -> MybatisPlusTables.nameOf(table), property);
    }

    /** Refuses ids that MyBatis-Plus would cut off. */
    private static LongSupplier fittingAnInt(LongSupplier ids, String property) {
        IdConversion conversion = IdConversion.to(Integer.class, property);
        return () -> ((Integer) conversion.convert(ids.getAsLong())).longValue();
    }
}
