package io.github.leafmint.bench.apps;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.apache.ibatis.annotations.Mapper;

/** Rows whose keys are snowflakes of CosId, in the process as those of leafmint. */
final class Cosid {
    private static final MillisecondSnowflakeId GENERATOR = new MillisecondSnowflakeId(1);

    private Cosid() {}

    /** A row of orders_cosid. */
    @Entity(name = "orders_cosid")
    @Table(name = "orders_cosid")
    @TableName("orders_cosid")
    @org.springframework.data.relational.core.mapping.Table("orders_cosid")
    static class CosidOrder extends Order {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        Long id = GENERATOR.generate();

        @Override
        Object key() {
            return id;
        }
    }

    /** A row of lines_cosid. */
    @Entity(name = "lines_cosid")
    @Table(name = "lines_cosid")
    @TableName("lines_cosid")
    @org.springframework.data.relational.core.mapping.Table("lines_cosid")
    static class CosidLine extends Line {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.INPUT)
        Long id = GENERATOR.generate();

        Long orderId;

        @Override
        void of(Object order) {
            orderId = (Long) order;
        }
    }

    /** Writes orders. */
    @Mapper
    interface Orders extends BaseMapper<CosidOrder> {}

    /** Writes lines. */
    @Mapper
    interface Lines extends BaseMapper<CosidLine> {}
}
