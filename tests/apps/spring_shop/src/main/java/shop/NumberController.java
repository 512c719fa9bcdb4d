package shop;

import io.github.leafmint.BizTag;
import java.util.List;
import java.util.stream.LongStream;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Mints ids without rows, as for messages that are sent on. The sample also starts without leafmint, to be measured.
 */
@RestController
@ConditionalOnClass(BizTag.class)
class NumberController {
    private final BizTag tag;

    NumberController(@Qualifier("shop_order") BizTag tag) {
        this.tag = tag;
    }

    @PostMapping("/numbers")
    Receipt number() {
        return new Receipt(tag.nextId());
    }

    @PostMapping("/batches")
    List<String> batch(@RequestParam int count) {
        return LongStream.of(tag.nextIds(count)).mapToObj(Long::toString).toList();
    }
}
