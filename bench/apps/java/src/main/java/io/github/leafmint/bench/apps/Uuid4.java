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

/** Rows whose keys are random UUIDs. */
final class Uuid4 {
    private Uuid4() {}

    /** A row of orders_uuid4. */
    @Entity(name = "orders_uuid4")
    @Table(name = "orders_uuid4")
    @TableName("orders_uuid4")
    @org.springframework.data.relational.core.mapping.Table("orders_uuid4")
    static class Uuid4Order extends Order {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        UUID id = UUID.randomUUID();

        @Override
        Object key() {
            return id;
        }
    }

    /** A row of lines_uuid4. */
    @Entity(name = "lines_uuid4")
    @Table(name = "lines_uuid4")
    @TableName("lines_uuid4")
    @org.springframework.data.relational.core.mapping.Table("lines_uuid4")
    static class Uuid4Line extends Line {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        UUID id = UUID.randomUUID();

        UUID orderId;

        @Override
        void of(Object order) {
            orderId = (UUID) order;
        }
    }

    /** Writes orders. */
    @Mapper
    interface Orders extends BaseMapper<Uuid4Order> {}

    /** Writes lines. */
    @Mapper
    interface Lines extends BaseMapper<Uuid4Line> {}
}
