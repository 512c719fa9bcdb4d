package io.github.leafmint.spring.boot.mybatis;

import com.baomidou.mybatisplus.annotation.FieldFill;
import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableField;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import io.github.leafmint.persistence.LeafmintId;
import io.github.leafmint.persistence.SnowflakeId;

/** Entities of MyBatis-Plus, each in the same table. */
abstract class Note {
    protected String item = "leaf";

    @TableName("notes")
    static class Tagged extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        @LeafmintId("note")
        Long id;
    }

    @TableName("notes")
    static class Numbered extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        @LeafmintId("note")
        Long id;

        @TableField(fill = FieldFill.INSERT)
        String number;
    }

    @TableName("notes")
    static class NamedByTable extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        @LeafmintId
        String id;
    }

    @TableName("notes")
    static class Snowflaked extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        @SnowflakeId
        Long id;
    }

    @TableName("leafmint_mybatis.`notes`")
    static class Quoted extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        @LeafmintId
        Long id;
    }

    @TableName("notes")
    static class Narrow extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        Integer id;
    }

    @TableName("notes")
    static class Plain extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        Long id;
    }
}
