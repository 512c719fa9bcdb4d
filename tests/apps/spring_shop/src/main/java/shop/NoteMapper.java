package shop;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import org.apache.ibatis.annotations.Mapper;

/** The notes. */
@Mapper
public interface NoteMapper extends BaseMapper<Note> {}
