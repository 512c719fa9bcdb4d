package io.github.leafmint.spring.boot.moving;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.domain.EntityScan;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** A row that old or new code inserts. */
interface MovedRow {
    /** An application with the entities of both. */
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = MovedRow.class)
    class Application {}

    /** Returns its id. */
    Long id();

    /** Inserts rows in a transaction, and returns their ids. */
    static List<Long> insert(ApplicationContext context, Supplier<MovedRow> row, int count) {
        var entities = context.getBean(EntityManager.class);
        return context.getBean(TransactionTemplate.class).execute(transaction -> Stream.generate(row)
                .limit(count)
                .peek(entities::persist)
                .map(MovedRow::id)
                .toList());
    }

    /** Runs a statement of an operator. */
    static int run(ApplicationContext context, String statement) {
        var entities = context.getBean(EntityManager.class);
        return context.getBean(TransactionTemplate.class)
                .execute(transaction -> entities.createNativeQuery(statement).executeUpdate());
    }
}
