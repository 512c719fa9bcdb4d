package io.github.leafmint.spring.boot.data;

import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;

/**
 * Mints the ids of entities that Spring Data R2DBC saves and that have
 * {@link io.github.leafmint.persistence.SegmentId}, {@link io.github.leafmint.persistence.SnowflakeId} or
 * {@link io.github.leafmint.persistence.SeriesValue}. It never blocks the thread that subscribes.
 *
 * <pre>{@code
 * @Table("lines")
 * record Line(@Id @SegmentId("line") Long id, String item) {}
 *
 * Mono<Line> saved = lines.save(new Line(null, "tea"));
 * }</pre>
 */
@AutoConfiguration(after = LeafmintPersistenceAutoConfiguration.class)
@ConditionalOnClass(R2dbcMappingContext.class)
public class LeafmintR2dbcAutoConfiguration {
    LeafmintR2dbcAutoConfiguration() {}

    @Bean
    static UnsetKeys leafmintR2dbcUnsetKeys() {
        return new UnsetKeys();
    }

    @Bean
    R2dbcIdCallback leafmintR2dbcIdCallback(IdSources sources, ObjectProvider<R2dbcMappingContext> mapping) {
        return new R2dbcIdCallback(new EntityIds(sources, mapping));
    }

    /** Mints the id of an entity that Spring Data R2DBC is about to insert. Blocks no thread if no id is in hand. */
    static class R2dbcIdCallback implements BeforeConvertCallback<Object> {
        private final EntityIds ids;

        R2dbcIdCallback(EntityIds ids) {
            this.ids = ids;
        }

        @Override
        public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
            Mono<Object> minted = Mono.just(entity);
            for (EntityIds.Minted property : ids.toMint(entity)) {
                minted = minted.flatMap(
                        of -> Mono.fromFuture(property.values()::nextAsync).map(value -> property.set(of, value)));
            }
            return minted;
        }
    }
}
