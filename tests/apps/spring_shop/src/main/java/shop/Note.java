package shop;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import io.github.leafmint.persistence.LeafmintId;

/** A note to an order, stored by MyBatis-Plus. */
@TableName("shop_notes")
public class Note {
    @TableId(type = IdType.ASSIGN_ID)
    @LeafmintId("shop_note")
    private Long id;

    private String item;

    public Note(String item) {
        this.item = item;
    }

    public Long getId() {
        return id;
    }

    public void setId(Long id) {
        this.id = id;
    }

    public String getItem() {
        return item;
    }
}
