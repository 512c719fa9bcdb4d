package shop;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.spring.boot.gapless.GaplessNumbers;
import jakarta.persistence.EntityManager;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Bills orders, with numbers without gaps. */
@Service
class Invoices {
    private final GaplessNumbers numbers;
    private final GaplessSequence invoices;
    private final EntityManager entities;

    Invoices(GaplessNumbers numbers, @Qualifier("invoice") GaplessSequence invoices, EntityManager entities) {
        this.numbers = numbers;
        this.invoices = invoices;
        this.entities = entities;
    }

    /** Bills an order. If that fails, the rollback gives the number back. */
    @Transactional
    public Invoice bill(OrderId order) {
        Invoice invoice = new Invoice(order, numbers.next(invoices).text());
        entities.persist(invoice);
        return invoice;
    }
}
