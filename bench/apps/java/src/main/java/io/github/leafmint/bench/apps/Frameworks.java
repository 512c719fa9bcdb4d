package io.github.leafmint.bench.apps;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.apache.ibatis.type.ObjectTypeHandler;
import org.mybatis.spring.SqlSessionTemplate;
import org.springframework.context.ApplicationContext;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;

/** What writes orders with their lines, within a transaction. */
final class Frameworks {
    static final Map<String, Kind> KINDS = new LinkedHashMap<>();

    static {
        KINDS.put(
                "counted",
                new Kind(
                        Counted.CountedOrder::new,
                        Counted.CountedLine::new,
                        Counted.Orders.class,
                        Counted.Lines.class));
        KINDS.put(
                "sequence",
                new Kind(
                        Sequenced.SequencedOrder::new,
                        Sequenced.SequencedLine::new,
                        Sequenced.Orders.class,
                        Sequenced.Lines.class));
        KINDS.put(
                "pooled",
                new Kind(Pooled.PooledOrder::new, Pooled.PooledLine::new, Pooled.Orders.class, Pooled.Lines.class));
        KINDS.put(
                "uuid4", new Kind(Uuid4.Uuid4Order::new, Uuid4.Uuid4Line::new, Uuid4.Orders.class, Uuid4.Lines.class));
        KINDS.put(
                "uuid7", new Kind(Uuid7.Uuid7Order::new, Uuid7.Uuid7Line::new, Uuid7.Orders.class, Uuid7.Lines.class));
        KINDS.put(
                "cosid", new Kind(Cosid.CosidOrder::new, Cosid.CosidLine::new, Cosid.Orders.class, Cosid.Lines.class));
        KINDS.put(
                "segment",
                new Kind(
                        Segment.SegmentOrder::new,
                        Segment.SegmentLine::new,
                        Segment.Orders.class,
                        Segment.Lines.class));
        KINDS.put(
                "snowflake",
                new Kind(
                        Snowflake.SnowflakeOrder::new,
                        Snowflake.SnowflakeLine::new,
                        Snowflake.Orders.class,
                        Snowflake.Lines.class));
    }

    /** A framework, and the kinds of keys that it can have. */
    record Framework(List<String> kinds, BiConsumer<Kind, Integer> writer) {}

    private final EntityManager entities;
    private final JdbcAggregateTemplate aggregates;
    private final SqlSessionTemplate mappers;

    Frameworks(ApplicationContext context) {
        entities = context.getBean(EntityManager.class);
        aggregates = context.getBean(JdbcAggregateTemplate.class);
        mappers = context.getBean(SqlSessionTemplate.class);
        // MyBatis has none for UUIDs; both drivers take them as they are.
        mappers.getConfiguration().getTypeHandlerRegistry().register(UUID.class, ObjectTypeHandler.class);
    }

    Map<String, Framework> all() {
        var without = new ArrayList<>(KINDS.keySet());
        without.removeAll(List.of("sequence", "pooled"));
        var all = new LinkedHashMap<String, Framework>();
        all.put("Hibernate", new Framework(List.copyOf(KINDS.keySet()), this::hibernate));
        all.put("Spring Data JDBC", new Framework(without, this::springData));
        all.put("MyBatis-Plus", new Framework(without, this::mybatis));
        return all;
    }

    private void hibernate(Kind kind, int count) {
        List<Order> orders = kind.orders(count);
        orders.forEach(entities::persist);
        kind.lines(orders).forEach(entities::persist);
        entities.flush();
        entities.clear();
    }

    private void springData(Kind kind, int count) {
        List<Order> orders = new ArrayList<>();
        aggregates.insertAll(kind.orders(count)).forEach(orders::add);
        aggregates.insertAll(kind.lines(orders));
    }

    private void mybatis(Kind kind, int count) {
        List<Order> orders = kind.orders(count);
        insert(kind.orders(), orders);
        insert(kind.lines(), kind.lines(orders));
    }

    @SuppressWarnings("unchecked") // the mappers of a kind are those of its rows
    private <R> void insert(Class<? extends BaseMapper<?>> type, Collection<R> rows) {
        ((BaseMapper<R>) mappers.getMapper(type)).insert(rows);
    }
}
