package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** Numbers without gaps through the drivers of R2DBC. */
@Timeout(120)
class R2dbcGaplessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final GaplessSequence sequence = GaplessSequence.named("reactive-" + UUID.randomUUID())
            .period(SeriesPeriod.FOREVER)
            .build();

    private static ConnectionFactory withTables(R2dbcDrivers driver) throws Exception {
        try (var ids = SegmentGenerator.open(driver.database.url())) {
            ids.initSchema();
        }
        return driver.connections();
    }

    private static Connection open(ConnectionFactory connections) {
        return wait(connections.create());
    }

    private static <T> T wait(Publisher<T> publisher) {
        return Mono.from(publisher).block(PATIENCE);
    }

    private static void execute(Connection connection, String statement) {
        Mono.from(connection.createStatement(statement).execute())
                .flatMap(result -> Mono.from(result.getRowsUpdated()))
                .block(PATIENCE);
    }

    private long next(Connection connection) {
        return wait(R2dbcGapless.next(sequence, connection)).number();
    }

    @ParameterizedTest
    @EnumSource
    void eachSubscriberHasANumberOfItsOwnAndASavepointGivesItBack(R2dbcDrivers driver) throws Exception {
        Connection connection = open(withTables(driver));
        wait(connection.beginTransaction());
        Publisher<SeriesNumber> numbers = R2dbcGapless.next(sequence, connection);
        assertEquals(1, wait(numbers).number());
        wait(connection.createSavepoint("bill"));
        assertEquals(2, wait(numbers).number());
        wait(connection.rollbackTransactionToSavepoint("bill"));
        assertEquals(2, wait(numbers).number());
        wait(connection.rollbackTransaction());
        wait(connection.beginTransaction());
        assertEquals(1, wait(numbers).number());
        wait(connection.close());
    }

    @ParameterizedTest
    @EnumSource
    void severalNumbersAndTheLastOneOfAPeriod(R2dbcDrivers driver) throws Exception {
        GaplessSequence bills = GaplessSequence.named("bill-" + UUID.randomUUID())
                .period(SeriesPeriod.MONTH)
                .zone(ZoneId.of("Europe/Madrid"))
                .key("shop-7")
                .format(IdFormat.of("{key}/{year}{month}-{number:2}"))
                .start(97)
                .clock(InstantSource.fixed(Instant.parse("2026-11-30T23:00:00Z")))
                .build();
        LocalDate november = LocalDate.of(2026, 11, 25);
        ConnectionFactory connections = withTables(driver);
        Connection connection = open(connections);
        assertNull(wait(R2dbcGapless.last(bills, connection)));
        wait(connection.beginTransaction());
        assertEquals(
                "shop-7/202612-97", wait(R2dbcGapless.next(bills, connection)).text());
        assertEquals(
                "shop-7/202611-97",
                wait(R2dbcGapless.next(bills, connection, november)).text());
        assertEquals(List.of(), wait(R2dbcGapless.nextMany(bills, connection, 0)));
        wait(connection.commitTransaction());
        wait(connection.beginTransaction());
        assertThrows(IdSpaceExhaustedException.class, () -> wait(R2dbcGapless.nextMany(bills, connection, 3)));
        wait(connection.rollbackTransaction());
        wait(connection.beginTransaction());
        List<SeriesNumber> both = wait(R2dbcGapless.nextMany(bills, connection, 2, november));
        assertEquals(
                List.of("shop-7/202611-98", "shop-7/202611-99"),
                both.stream().map(SeriesNumber::text).toList());
        assertEquals(both.get(1), wait(R2dbcGapless.last(bills, connection, november)));
        assertEquals(
                "shop-7/202612-97", wait(R2dbcGapless.last(bills, connection)).text());
        wait(connection.close());
        var refused = R2dbcGapless.nextMany(bills, connection, -1);
        assertThrows(InvalidArgumentException.class, () -> wait(refused));
    }

    @ParameterizedTest
    @EnumSource
    void aSequenceThatStaysLockedFailsByNameAndTheConnectionCanBeUsedAgain(R2dbcDrivers driver) throws Exception {
        ConnectionFactory connections = withTables(driver);
        Connection holder = open(connections);
        wait(holder.beginTransaction());
        assertEquals(1, next(holder));
        Connection other = open(connections);
        execute(other, driver.lockTimeout);
        for (int time = 0; time < 2; time++) {
            wait(other.beginTransaction());
            var locked = assertThrows(StoreUnavailableException.class, () -> next(other));
            assertEquals("locked", locked.reason());
            assertInstanceOf(R2dbcException.class, locked.getCause());
            assertTrue(locked.getMessage().contains("repeat it as a whole"), locked::getMessage);
            wait(other.rollbackTransaction());
        }
        wait(holder.commitTransaction());
        wait(other.beginTransaction());
        assertEquals(2, next(other));
        wait(holder.close());
        wait(other.close());
    }

    @ParameterizedTest
    @EnumSource
    void aSubscriberThatCancelsTakesNoNumber(R2dbcDrivers driver) throws Exception {
        ConnectionFactory connections = withTables(driver);
        Connection holder = open(connections);
        wait(holder.beginTransaction());
        assertEquals(1, next(holder));
        Connection other = open(connections);
        wait(other.beginTransaction());
        var emitted = new CompletableFuture<SeriesNumber>();
        Disposable waiting = Mono.from(R2dbcGapless.next(sequence, other))
                .subscribe(emitted::complete, emitted::completeExceptionally);
        waiting.dispose();
        wait(holder.rollbackTransaction());
        wait(other.rollbackTransaction());
        assertFalse(emitted.isDone());
        wait(other.beginTransaction());
        assertEquals(1, next(other));
        wait(holder.close());
        wait(other.close());
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatCommitsEachStatementIsRefused(R2dbcDrivers driver) throws Exception {
        Connection connection = open(withTables(driver));
        for (Publisher<?> refused :
                List.of(R2dbcGapless.next(sequence, connection), R2dbcGapless.nextMany(sequence, connection, 2))) {
            var failure = assertThrows(InvalidArgumentException.class, () -> wait(refused));
            assertTrue(failure.getMessage().contains("beginTransaction"), failure::getMessage);
        }
        wait(connection.close());
    }

    @Test
    void aDatabaseOfAnotherProductIsRefusedByName() {
        Connection connection = open(ConnectionFactories.get("r2dbc:h2:mem:///" + sequence.name()));
        wait(connection.beginTransaction());
        var refused = assertThrows(InvalidArgumentException.class, () -> next(connection));
        assertTrue(refused.getMessage().contains("\"H2\""), refused::getMessage);
        wait(connection.close());
    }

    @Test
    void aConnectionThatIsClosedFailsByName() throws Exception {
        Connection connection = open(withTables(R2dbcDrivers.POSTGRES));
        wait(connection.beginTransaction());
        wait(connection.close());
        assertThrows(LeafmintException.class, () -> next(connection));
    }

    @Test
    void aSubscriberThatRequestsNothingIsRefused() throws Exception {
        Connection connection = open(withTables(R2dbcDrivers.POSTGRES));
        wait(connection.beginTransaction());
        var failure = new CompletableFuture<Throwable>();
        R2dbcGapless.next(sequence, connection).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(0);
            }

            @Override
            protected void hookOnError(Throwable refused) {
                failure.complete(refused);
            }
        });
        assertInstanceOf(IllegalArgumentException.class, failure.get(20, TimeUnit.SECONDS));
        assertEquals(1, next(connection));
        wait(connection.close());
    }
}
