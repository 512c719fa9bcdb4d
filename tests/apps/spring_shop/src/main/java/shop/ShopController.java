package shop;

import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Stores what a client buys. */
@RestController
class ShopController {
    private final OrderRepository orders;
    private final JdbcAggregateTemplate lines;
    private final NoteMapper notes;

    ShopController(OrderRepository orders, JdbcAggregateTemplate lines, NoteMapper notes) {
        this.orders = orders;
        this.lines = lines;
        this.notes = notes;
    }

    @PostMapping("/orders")
    Confirmation order(@RequestBody Purchase purchase) {
        Order order = orders.save(new Order(purchase.item()));
        return new Confirmation(order.getId(), order.getNumber());
    }

    /** Stores an order after 2 s, as a request does that calls a slow service first. */
    @PostMapping("/slow_orders")
    Confirmation slowOrder(@RequestBody Purchase purchase) throws InterruptedException {
        Thread.sleep(2000);
        return order(purchase);
    }

    @PostMapping("/lines")
    Receipt line(@RequestBody Purchase purchase) {
        return new Receipt(lines.save(new Line(null, purchase.item())).id());
    }

    @PostMapping("/notes")
    Receipt note(@RequestBody Purchase purchase) {
        Note note = new Note(purchase.item());
        notes.insert(note);
        return new Receipt(note.getId());
    }
}
