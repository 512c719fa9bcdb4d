package io.github.leafmint.spring.boot.data;

import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/** Mints the id of an aggregate root that Spring Data JDBC is about to insert. */
class JdbcIdCallback implements BeforeConvertCallback<Object> {
    private final EntityIds ids;

    JdbcIdCallback(EntityIds ids) {
        this.ids = ids;
    }

    @Override
    public Object onBeforeConvert(Object aggregate) {
        return ids.toMint(aggregate)
                .map(id -> id.set(aggregate, id.source().now().getAsLong()))
                .orElse(aggregate);
    }
}
