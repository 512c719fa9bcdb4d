package io.github.leafmint.bench.apps;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.leafmint.persistence.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.apache.ibatis.annotations.Mapper;

/** Rows whose keys are leafmint's snowflakes. */
final class Snowflake {
    private Snowflake() {}

    /** A row of orders_snowflake. */
    @Entity(name = "orders_snowflake")
    @Table(name = "orders_snowflake")
    @TableName("orders_snowflake")
    @org.springframework.data.relational.core.mapping.Table("orders_snowflake")
    static class SnowflakeOrder extends Order {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.ASSIGN_ID)
        @SnowflakeId
        Long id;

        @Override
        Object key() {
            return id;
        }
    }

    /** A row of lines_snowflake. */
    @Entity(name = "lines_snowflake")
    @Table(name = "lines_snowflake")
    @TableName("lines_snowflake")
    @org.springframework.data.relational.core.mapping.Table("lines_snowflake")
    static class SnowflakeLine extends Line {
        @Id
        @org.springframework.data.annotation.Id
        @TableId(type = IdType.ASSIGN_ID)
        @SnowflakeId
        Long id;

        Long orderId;

        @Override
        void of(Object order) {
            orderId = (Long) order;
        }
    }

    /** Writes orders. */
    @Mapper
    interface Orders extends BaseMapper<SnowflakeOrder> {}

    /** Writes lines. */
    @Mapper
    interface Lines extends BaseMapper<SnowflakeLine> {}
}
