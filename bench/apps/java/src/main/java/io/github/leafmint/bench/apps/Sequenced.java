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

/** Rows whose keys come from a sequence that counts by 1. */
final class Sequenced {
    private Sequenced() {}

    /** A row of orders_sequence. */
    @Entity(name = "orders_sequence")
    @Table(name = "orders_sequence")
    @TableName("orders_sequence")
    @org.springframework.data.relational.core.mapping.Table("orders_sequence")
    static class SequencedOrder extends Order {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        @GeneratedValue(generator = "orders_sequence")
        @SequenceGenerator(name = "orders_sequence", sequenceName = "orders_sequence_seq", allocationSize = 1)
        Long id;

        @Override
        Object key() {
            return id;
        }
    }

    /** A row of lines_sequence. */
    @Entity(name = "lines_sequence")
    @Table(name = "lines_sequence")
    @TableName("lines_sequence")
    @org.springframework.data.relational.core.mapping.Table("lines_sequence")
    static class SequencedLine extends Line {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        @GeneratedValue(generator = "lines_sequence")
        @SequenceGenerator(name = "lines_sequence", sequenceName = "lines_sequence_seq", allocationSize = 1)
        Long id;

        Long orderId;

        @Override
        void of(Object order) {
            orderId = (Long) order;
        }
    }

    /** Writes orders. */
    @Mapper
    interface Orders extends BaseMapper<SequencedOrder> {}

    /** Writes lines. */
    @Mapper
    interface Lines extends BaseMapper<SequencedLine> {}
}
