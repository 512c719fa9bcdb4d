package io.github.leafmint.bench.apps;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.leafmint.persistence.SegmentId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.apache.ibatis.annotations.Mapper;

/** Rows whose keys are leafmint's segments. */
final class Segment {
    private Segment() {}

    /** A row of orders_segment. */
    @Entity(name = "orders_segment")
    @Table(name = "orders_segment")
    @TableName("orders_segment")
    @org.springframework.data.relational.core.mapping.Table("orders_segment")
    static class SegmentOrder extends Order {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.ASSIGN_ID)
        @SegmentId
        Long id;

        @Override
        Object key() {
            return id;
        }
    }

    /** A row of lines_segment. */
    @Entity(name = "lines_segment")
    @Table(name = "lines_segment")
    @TableName("lines_segment")
    @org.springframework.data.relational.core.mapping.Table("lines_segment")
    static class SegmentLine extends Line {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.ASSIGN_ID)
        @SegmentId
        Long id;

        Long orderId;

        @Override
        void of(Object order) {
            orderId = (Long) order;
        }
    }

    /** Writes orders. */
    @Mapper
    interface Orders extends BaseMapper<SegmentOrder> {}

    /** Writes lines. */
    @Mapper
    interface Lines extends BaseMapper<SegmentLine> {}
}
