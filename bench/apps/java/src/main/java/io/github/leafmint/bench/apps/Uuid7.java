package io.github.leafmint.bench.apps;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.apache.ibatis.annotations.Mapper;

/** Rows whose keys are UUIDs that begin with the time. */
final class Uuid7 {
    private Uuid7() {}

    /** A row of orders_uuid7. */
    @Entity(name = "orders_uuid7")
    @Table(name = "orders_uuid7")
    @TableName("orders_uuid7")
    @org.springframework.data.relational.core.mapping.Table("orders_uuid7")
    static class Uuid7Order extends Order {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        UUID id = Uuids.version7();

        @Override
        Object key() {
            return id;
        }
    }

    /** A row of lines_uuid7. */
    @Entity(name = "lines_uuid7")
    @Table(name = "lines_uuid7")
    @TableName("lines_uuid7")
    @org.springframework.data.relational.core.mapping.Table("lines_uuid7")
    static class Uuid7Line extends Line {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        UUID id = Uuids.version7();

        UUID orderId;

        @Override
        void of(Object order) {
            orderId = (UUID) order;
        }
    }

    /** Writes orders. */
    @Mapper
    interface Orders extends BaseMapper<Uuid7Order> {}

    /** Writes lines. */
    @Mapper
    interface Lines extends BaseMapper<Uuid7Line> {}
}
