package io.github.leafmint.spring.boot.data;

import org.reactivestreams.Publisher;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;

/** Mints the id of an entity that Spring Data R2DBC is about to insert. Blocks no thread if no id is in hand. */
class R2dbcIdCallback implements BeforeConvertCallback<Object> {
    private final EntityIds ids;

    R2dbcIdCallback(EntityIds ids) {
        this.ids = ids;
    }

    @Override
    public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
        return ids.toMint(entity).map(id -> mint(entity, id)).orElseGet(() -> Mono.just(entity));
    }

    private static Mono<Object> mint(Object entity, EntityId id) {
        return Mono.fromFuture(() -> id.source().later().nextIdAsync()).map(minted -> id.set(entity, minted));
    }
}
