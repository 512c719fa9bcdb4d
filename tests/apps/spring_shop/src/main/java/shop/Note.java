package shop;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import io.github.leafmint.persistence.SegmentId;

/** A note to an order, stored by MyBatis-Plus. */
@TableName("shop_notes")
public class Note {
    @TableId(type = IdType.ASSIGN_ID)
    @SegmentId("shop_note")
    private NoteId id;

    private String item;

    public Note(String item) {
        this.item = item;
    }

    public NoteId getId() {
        return id;
    }

    public void setId(NoteId id) {
        this.id = id;
    }

    public String getItem() {
        return item;
    }
}
