package io.github.leafmint.bench.apps;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import org.apache.ibatis.annotations.Mapper;

/** Rows whose keys come from a sequence that counts by 50. */
final class Pooled {
    private Pooled() {}

    /** A row of orders_pooled. */
    @Entity(name = "orders_pooled")
    @Table(name = "orders_pooled")
    @TableName("orders_pooled")
    @org.springframework.data.relational.core.mapping.Table("orders_pooled")
    static class PooledOrder extends Order {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        @GeneratedValue(generator = "orders_pooled")
        @SequenceGenerator(name = "orders_pooled", sequenceName = "orders_pooled_seq", allocationSize = 50)
        Long id;

        @Override
        Object key() {
            return id;
        }
    }

    /** A row of lines_pooled. */
    @Entity(name = "lines_pooled")
    @Table(name = "lines_pooled")
    @TableName("lines_pooled")
    @org.springframework.data.relational.core.mapping.Table("lines_pooled")
    static class PooledLine extends Line {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        @GeneratedValue(generator = "lines_pooled")
        @SequenceGenerator(name = "lines_pooled", sequenceName = "lines_pooled_seq", allocationSize = 50)
        Long id;

        Long orderId;

        @Override
        void of(Object order) {
            orderId = (Long) order;
        }
    }

    /** Writes orders. */
    @Mapper
    interface Orders extends BaseMapper<PooledOrder> {}

    /** Writes lines. */
    @Mapper
    interface Lines extends BaseMapper<PooledLine> {}
}
