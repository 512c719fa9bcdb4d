package io.github.leafmint.spring.boot.mybatis;

import com.baomidou.mybatisplus.annotation.FieldFill;
import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableField;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import io.github.leafmint.persistence.SnowflakeId;

/** Entities of MyBatis-Plus, each in the same table. */
abstract class Note {
    protected String item = "leaf";

    @TableName("notes")
    static class Tagged extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        @SegmentId("note")
        Long id;
    }

    @TableName("notes")
    static class Numbered extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        @SegmentId("note")
        Long id;

        @SeriesValue("note")
        String number;

        @SegmentId
        Long ticket;

        /** An application may fill in others itself. */
        @TableField(fill = FieldFill.INSERT)
        String author;
    }

    @IdForm(prefix = "note")
    static final class Id extends TypedId {
        private static final long serialVersionUID = 1L;

        public Id(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "author")
    static final class AuthorId extends TypedId {
        private static final long serialVersionUID = 1L;

        public AuthorId(long value) {
            super(value);
        }
    }

    @TableName("notes")
    static class Typed extends Note {
        @TableId
        @SegmentId("typed-note")
        Id id;

        AuthorId author;

        @SnowflakeId
        Id ticket;

        Id getId() {
            return id;
        }

        AuthorId getAuthor() {
            return author;
        }
    }

    @TableName("notes")
    static class NamedByTable extends Note {
        @TableId(type = IdType.ASSIGN_ID)
        @SegmentId
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
        @SegmentId
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
