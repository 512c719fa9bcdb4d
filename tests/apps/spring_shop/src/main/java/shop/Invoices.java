package shop;

import io.github.leafmint.Format;
import io.github.leafmint.spring.boot.gapless.GaplessNumbers;
import jakarta.persistence.EntityManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Bills orders, with numbers without gaps. */
@Service
class Invoices {
    private static final Format NUMBER = Format.of("INV-{number:6}-{check:damm}");

    private final GaplessNumbers numbers;
    private final EntityManager entities;

    Invoices(GaplessNumbers numbers, EntityManager entities) {
        this.numbers = numbers;
        this.entities = entities;
    }

    /** Bills an order. If that fails, the rollback gives the number back. */
    @Transactional
    public Invoice bill(OrderId order) {
        Invoice invoice = new Invoice(order, NUMBER.format(numbers.next("invoice")));
        entities.persist(invoice);
        return invoice;
    }
}
