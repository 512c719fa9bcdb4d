package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import io.github.leafmint.internal.threads.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CredentialsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final String tag = "order-" + UUID.randomUUID();

    private SegmentGeneratorBuilder segments(Account account, CredentialsSupplier supplier) {
        return SegmentGenerator.builder(account.url())
                .credentials(supplier)
                .autoCreate(true)
                .defaultStep(10)
                .maxStep(10);
    }

    private static void assertHidden(String text) {
        assertFalse(text.contains("s3ntinel"), text);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("leafmint-credentials"))
                .count();
    }

    private static void await(BooleanSupplier condition) throws Exception {
        long until = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < until, "it takes too long");
            Thread.sleep(10);
        }
    }

    /** Calls until the message holds this: the first call may end before the first attempt has. */
    private static String failureOf(Tag tag, String part) {
        long until = System.nanoTime() + LONG.toNanos();
        while (true) {
            String message = assertThrows(SegmentUnavailableException.class, () -> tag.nextId(Duration.ofMillis(500)))
                    .getMessage();
            if (message.contains(part)) {
                return message;
            }
            assertTrue(System.nanoTime() < until, message);
        }
    }

    @Test
    void segmentsAreLeasedThroughRotationsOfThePassword() throws Exception {
        var asked = new AtomicInteger();
        try (var account = new Account();
                var ids = segments(account, () -> {
                            asked.incrementAndGet();
                            return account.current();
                        })
                        .timeout(LONG)
                        .open()) {
            assertEquals(0, asked.get());
            Tag order = ids.tag(tag);
            for (int rotation = 0; rotation < 3; rotation++) {
                assertEquals(100, order.nextIds(100).length);
                account.rotate();
            }
            assertEquals(100, order.nextIds(100).length);
            assertTrue(asked.get() >= 4, asked + " questions");
            assertHidden(ids + " " + order + " " + ids.stats());
        }
    }

    @Test
    void aWorkerIdIsKeptThroughARotationOfThePassword() throws Exception {
        var asked = new AtomicInteger();
        try (var account = new Account();
                var flakes = SnowflakeGenerator.builder(account.url())
                        .autoCreate(true)
                        .credentials(() -> {
                            asked.incrementAndGet();
                            return account.current();
                        })
                        .namespace(tag)
                        .heartbeat(Duration.ofMillis(50))
                        .leaseDuration(Duration.ofSeconds(1))
                        .stateFiles(false)
                        .timeout(LONG)
                        .open()) {
            long worker = flakes.decode(flakes.nextId()).workerId();
            int before = asked.get();
            account.rotate();
            await(() -> asked.get() > before);
            Thread.sleep(1100);
            assertEquals(worker, flakes.decode(flakes.nextId()).workerId());
            assertHidden(flakes + " " + flakes.stats());
        }
    }

    @Test
    void aSupplierThatThrowsIsANamedErrorAndIsAskedAgain() throws Exception {
        var sealed = new AtomicBoolean(true);
        try (var account = new Account();
                var ids = segments(account, () -> {
                            if (sealed.get()) {
                                throw new Exception("the vault is\nsealed \ud800");
                            }
                            return account.current();
                        })
                        .open()) {
            Tag order = ids.tag(tag);
            String message = failureOf(order, "the credentials supplier failed: java.lang.Exception: the vault is");
            assertTrue(message.contains("sealed ?") && !message.contains("\n"), message);
            sealed.set(false);
            assertTrue(order.nextId(LONG) > 0);
        }
    }

    @Test
    void whatNoServerTakesIsANamedErrorThatDoesNotRepeatIt() throws Exception {
        try (var account = new Account()) {
            assertRefused(account, null, "it returned null");
            assertRefused(account, "s3ntinel\0", "the password holds a NUL character");
            assertRefused(account, "s3ntinel\ud800", "the password contains an unpaired surrogate");
            assertRefused(account, "s3ntinel-old", "1045");
        }
    }

    private void assertRefused(Account account, String password, String problem) {
        var supplied = password == null ? null : new Credentials(account.name, password);
        try (var ids = segments(account, () -> supplied).open()) {
            assertHidden(failureOf(ids.tag(tag), problem) + ids.stats());
        }
    }

    @Test
    void anAnswerThatIsLostIsANamedErrorAndTheNextQuestionIsAsked() throws Exception {
        NativeLibrary.require();
        long questions = Native.credentialsNew();
        long generator = Native.segmentOpen("mysql://127.0.0.1:1/db", new String[0], new long[0], questions);
        var asked = new AtomicInteger();
        var forgetful = new Thread(() -> {
            while (Native.credentialsTake(questions)) {
                asked.incrementAndGet();
            }
        });
        forgetful.start();
        for (int question = 1; question <= 2; question++) {
            long pending = Native.segmentListTags(generator);
            var failure = assertThrows(StoreUnavailableException.class, () -> Waiting.untilTexts(pending, "tags"));
            assertTrue(failure.getMessage().contains("its answer was lost"), failure::getMessage);
            assertTrue(asked.get() >= question);
        }
        Native.segmentFree(generator, 0);
        forgetful.join();
        Native.askedFree(questions);
    }

    @Test
    void aPasswordThatTheServerRefusesIsAskedForAgain() throws Exception {
        var asked = new AtomicInteger();
        try (var account = new Account();
                var ids = segments(
                                account,
                                () -> asked.incrementAndGet() < 3
                                        ? new Credentials(account.name, "s3ntinel-old")
                                        : account.current())
                        .open()) {
            assertTrue(ids.tag(tag).nextId(LONG) > 0);
        }
    }

    @Test
    void aSupplierThatHangsCostsAnAttemptTheConnectTimeoutAndIsInterruptedByTheClose() throws Exception {
        var interrupted = new CountDownLatch(1);
        try (var account = new Account()) {
            try (var ids = segments(account, () -> {
                        try {
                            Thread.sleep(60_000);
                        } catch (InterruptedException closed) {
                            interrupted.countDown();
                        }
                        return account.current();
                    })
                    .connectTimeout(Duration.ofMillis(100))
                    .open()) {
                failureOf(ids.tag(tag), "no answer within connect_timeout=100ms");
            }
            interrupted.await();
        }
        await(() -> threads() == 0);
    }

    @Test
    void theSupplierFindsTheClassesOfItsApplication() throws Exception {
        var loaders = new AtomicReference<ClassLoader>();
        try (var account = new Account();
                var ids = segments(account, () -> {
                            loaders.set(Thread.currentThread().getContextClassLoader());
                            return account.current();
                        })
                        .eager(true)
                        .eagerTags(tag)
                        .open()) {
            assertSame(CredentialsTest.class.getClassLoader(), loaders.get());
            Thread asking = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("leafmint-credentials"))
                    .findAny()
                    .orElseThrow();
            assertTrue(asking.isDaemon());
            assertNull(asking.getContextClassLoader());
        }
    }

    @Test
    void theThreadEndsWithItsGeneratorHoweverThatEnds() throws Exception {
        try (var account = new Account()) {
            assertThrows(StoreUnavailableException.class, () -> segments(account, () -> null)
                    .timeout(Duration.ofMillis(50))
                    .eager(true)
                    .open()
                    .initSchema());
            assertThrows(
                    InvalidConfigException.class,
                    () -> segments(account, account::current).maxStep(-1).open());
            SegmentGenerator.builder("memory:").credentials(account::current).open();
            segments(account, account::current).open().tag(tag).nextId(LONG); // never closed
            await(() -> {
                System.gc();
                return threads() == 0;
            });
        }
    }

    /** Takes one id, loses its session, and exits without a close. */
    static final class MintOne {
        public static void main(String[] arguments) throws Exception {
            var account = new Account(arguments[1], arguments[2]);
            Tag order = SegmentGenerator.builder(account.url())
                    .credentials(account::current)
                    .autoCreate(true)
                    .open()
                    .tag(arguments[0]);
            System.out.println(order.nextId());
            account.rotate();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(order.nextId())));
        }
    }

    @Test
    void aGeneratorThatIsOpenAtTheExitGivesItsIdsBackOverANewConnection() throws Exception {
        for (String minted : List.of("1\n2\n", "3\n4\n")) {
            try (var account = new Account()) {
                String password = account.current().password();
                var java = JavaProcess.run(List.of(), MintOne.class, tag, account.name, password);
                assertEquals(minted, java.output());
            }
        }
    }

    @Test
    void aSupplierCannotBeCombinedWithAPassword() {
        CredentialsSupplier supplier = () -> new Credentials("shop", "pw");
        for (String url : new String[] {"mysql://h/db?password=s3ntinel", "mysql://shop:s3ntinel@h/db"}) {
            var segments = SegmentGenerator.builder(url).credentials(supplier);
            var snowflakes = SnowflakeGenerator.builder(url).credentials(supplier);
            for (var failure : new Exception[] {
                assertThrows(InvalidConfigException.class, segments::open),
                assertThrows(InvalidConfigException.class, snowflakes::open)
            }) {
                assertTrue(failure.getMessage().contains("credentials and password are both set"), failure::getMessage);
                assertHidden(failure.toString());
            }
        }
        var asText = SegmentGenerator.builder("mysql://h/db").option("credentials", "s3ntinel");
        assertHidden(assertThrows(InvalidConfigException.class, asText::open).toString());
    }

    @Test
    void credentialsDoNotShowTheirPassword() {
        assertEquals("Credentials[username=shop, password=***]", new Credentials("shop", "s3ntinel").toString());
        assertThrows(NullPointerException.class, () -> new Credentials("shop", null));
    }
}
