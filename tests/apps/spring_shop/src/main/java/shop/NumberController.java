package shop;

import io.github.leafmint.Tag;
import java.util.List;
import java.util.stream.LongStream;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Mints ids without rows, as for messages that are sent on. */
@RestController
class NumberController {
    private final Tag tag;

    NumberController(@Qualifier("shop_order") Tag tag) {
        this.tag = tag;
    }

    @PostMapping("/numbers")
    Receipt number() {
        return new Receipt(new OrderId(tag.nextId()));
    }

    @PostMapping("/batches")
    List<OrderId> batch(@RequestParam int count) {
        return LongStream.of(tag.nextIds(count)).mapToObj(OrderId::new).toList();
    }
}
