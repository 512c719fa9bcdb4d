package io.github.leafmint.bench.apps;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.apache.ibatis.annotations.Mapper;

/** Rows whose keys the database counts. */
final class Counted {
    private Counted() {}

    /** A row of orders_counted. */
    @Entity(name = "orders_counted")
    @Table(name = "orders_counted")
    @TableName("orders_counted")
    @org.springframework.data.relational.core.mapping.Table("orders_counted")
    static class CountedOrder extends Order {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.AUTO)
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        @Override
        Object key() {
            return id;
        }
    }

    /** A row of lines_counted. */
    @Entity(name = "lines_counted")
    @Table(name = "lines_counted")
    @TableName("lines_counted")
    @org.springframework.data.relational.core.mapping.Table("lines_counted")
    static class CountedLine extends Line {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.AUTO)
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        Long orderId;

        @Override
        void of(Object order) {
            orderId = (Long) order;
        }
    }

    /** Writes orders. */
    @Mapper
    interface Orders extends BaseMapper<CountedOrder> {}

    /** Writes lines. */
    @Mapper
    interface Lines extends BaseMapper<CountedLine> {}
}
