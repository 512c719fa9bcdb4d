package io.github.leafmint.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.IdFormat;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.InvalidIdException;
import io.github.leafmint.JavaProcess;
import io.github.leafmint.OrderId;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.objenesis.ObjenesisStd;

@Timeout(60)
@SuppressWarnings("serial")
class TypedIdTest {
    private static final String KEY = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    private static final IdKeys KEYS = IdKeys.of(KEY);
    private static final TypedIds IDS = TypedIds.of(KEYS);

    @IdForm(prefix = "customer")
    static final class CustomerId extends TypedId {
        public CustomerId(long value) {
            super(value);
        }
    }

    @IdForm(form = IdForm.Form.SCRAMBLED, name = "member", format = "M-{number:8}-{check:damm}", keyNumber = 0)
    static final class MemberId extends TypedId {
        public MemberId(long value) {
            super(value);
        }
    }

    @IdForm(form = IdForm.Form.FORMATTED, format = "INV-{number}-{check:damm}")
    static final class InvoiceId extends TypedId {
        public InvoiceId(long value) {
            super(value);
        }
    }

    @IdForm(form = IdForm.Form.DECIMAL)
    static final class RowId extends TypedId {
        public RowId(long value) {
            super(value);
        }
    }

    @IdForm(form = IdForm.Form.DECIMAL, tag = "ticket")
    static final class TicketId extends TypedId {
        public TicketId(long value) {
            super(value);
        }

        static TicketId next() {
            return next(TicketId.class);
        }
    }

    @IdForm(form = IdForm.Form.DECIMAL, snowflake = true)
    static final class EventId extends TypedId {
        public EventId(long value) {
            super(value);
        }
    }

    @IdForm(form = IdForm.Form.DECIMAL, tag = "both", snowflake = true)
    static final class BothId extends TypedId {
        public BothId(long value) {
            super(value);
        }
    }

    @AfterEach
    void forgetTheDefault() {
        TypedIds.setDefault(TypedIds.ofEnvironment());
    }

    @Test
    void eachFormIsWrittenAndReadBack() {
        for (TypedId id :
                List.of(new OrderId(42), new CustomerId(7), new MemberId(42), new InvoiceId(42), new RowId(42))) {
            String text = IDS.text(id);
            assertEquals(id, IDS.parse(id.getClass(), text));
            assertTrue(text.matches(IDS.pattern(id.getClass())), text);
            assertTrue(IDS.example(id.getClass()).matches(IDS.pattern(id.getClass())));
        }
        assertEquals(PublicIds.of("order", KEYS).encode(42), IDS.text(new OrderId(42)));
        assertEquals("42", IDS.text(new RowId(42)));
        assertEquals(IdFormat.of("INV-{number}-{check:damm}").format(42), IDS.text(new InvoiceId(42)));
    }

    @Test
    void theTextOfAnotherClassIsRefused() {
        String text = IDS.text(new OrderId(42));
        var failure = assertThrows(InvalidIdException.class, () -> IDS.parse(CustomerId.class, text));
        assertTrue(failure.getMessage().contains("is not an id of this kind: \"customer\""), failure.getMessage());
        for (String wrong : List.of("42", "", text.toUpperCase(), "\ud83c")) {
            assertThrows(InvalidIdException.class, () -> IDS.parse(OrderId.class, wrong), wrong);
        }
    }

    @Test
    void idsAreEqualIfClassAndNumberAre() {
        assertEquals(new OrderId(42), new OrderId(42));
        assertEquals(new OrderId(42).hashCode(), new OrderId(42).hashCode());
        assertNotEquals(new OrderId(42), new OrderId(43));
        assertNotEquals(new OrderId(42), new CustomerId(42));
        assertNotEquals((Object) new OrderId(42), 42L);
        var sorted = new ArrayList<>(new TreeSet<>(List.of(new OrderId(9), new OrderId(7), new OrderId(8))));
        assertEquals(List.of(new OrderId(7), new OrderId(8), new OrderId(9)), sorted);
        assertThrows(ClassCastException.class, () -> new OrderId(1).compareTo(new CustomerId(1)));
    }

    @Test
    void aNegativeNumberIsNoId() {
        var failure = assertThrows(InvalidIdException.class, () -> new OrderId(-1));
        assertEquals("-1 is negative: an id is from 0 to 9223372036854775807", failure.getMessage());
        assertThrows(InvalidIdException.class, () -> TypedId.of(OrderId.class, -1));
        assertEquals(new OrderId(42), TypedId.of(OrderId.class, 42));
    }

    @Test
    void anIdIsSerialisedWithItsClass() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(new OrderId(42));
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertEquals(new OrderId(42), in.readObject());
        }
        var direct = TypedId.class.getDeclaredMethod("readObject", ObjectInputStream.class);
        direct.setAccessible(true);
        var refused = assertThrows(
                java.lang.reflect.InvocationTargetException.class, () -> direct.invoke(new OrderId(1), (Object) null));
        assertTrue(refused.getCause() instanceof InvalidObjectException);
    }

    /** Some libraries make objects without a constructor. 0 is an id, so its absence must not look like it. */
    @Test
    void anIdThatNoConstructorMadeRefusesEveryUse() throws Exception {
        OrderId bare = new ObjenesisStd().newInstance(OrderId.class);
        List<Executable> uses = List.of(
                bare::value,
                bare::hashCode,
                () -> bare.equals(new OrderId(0)),
                () -> new OrderId(0).equals(bare),
                () -> bare.compareTo(new OrderId(0)),
                () -> IDS.text(bare),
                () -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(bare));
        for (Executable use : uses) {
            var refused = assertThrows(InvalidArgumentException.class, use);
            assertTrue(refused.getMessage().startsWith("io.github.leafmint.OrderId was made without its constructor"));
        }
        TypedIds.setDefault(IDS);
        assertEquals("OrderId(invalid_argument)", bare.toString());
        assertEquals(IDS.text(new OrderId(0)), new OrderId(0).toString());
    }

    @Test
    void anIdIsNoBean() {
        var refused = assertThrows(InvalidArgumentException.class, new OrderId(42)::isLeafmintTypedId);
        assertTrue(refused.getMessage().contains("calls TypedIds.text and parse"), refused.getMessage());
    }

    @Test
    void anIdShowsItsTextAndNeverItsNumber() {
        assertEquals("OrderId(invalid_config)", new OrderId(42).toString());
        TypedIds.setDefault(IDS);
        assertEquals(IDS.text(new OrderId(42)), new OrderId(42).toString());
        assertEquals("MemberId(id_space_exhausted)", new MemberId(100_000_000).toString());
        assertSame(IDS, TypedIds.getDefault());
    }

    /** Logs and debuggers call it. */
    @Test
    void anIdIsShownAlsoIfTheSupplierOfKeysFails() {
        TypedIds.setDefault(TypedIds.of(() -> {
            throw new IllegalStateException("the vault is sealed");
        }));
        assertEquals("OrderId(IllegalStateException)", new OrderId(42).toString());
        assertThrows(IllegalStateException.class, () -> TypedIds.getDefault().text(new OrderId(42)));
    }

    @Test
    void aClassThatNamesItsTagOrSnowflakesMints() {
        try (SegmentGenerator segments = SegmentGenerator.open("memory:");
                SnowflakeGenerator snowflakes = SnowflakeGenerator.open("fixed:7?namespace=typed-ids")) {
            TypedIds.setDefault(
                    TypedIds.withoutKeys().mintingTags(segments::tag).mintingSnowflakes(() -> snowflakes));
            assertEquals(List.of(new TicketId(1), new TicketId(2)), List.of(TicketId.next(), TicketId.next()));
            assertEquals(3, segments.tag("ticket").nextId());
            assertEquals(
                    7, snowflakes.decode(TypedId.next(EventId.class).value()).workerId());
        }
    }

    @IdForm(prefix = "parcel", tag = "parcel")
    static final class ParcelId extends TypedId {
        public ParcelId(long value) {
            super(value);
        }
    }

    @Test
    void withoutKeysNoIdIsMintedThatNoAnswerCouldShow() {
        try (SegmentGenerator segments = SegmentGenerator.open("memory:")) {
            TypedIds ids = TypedIds.withoutKeys().mintingTags(segments::tag);
            var failure = assertThrows(InvalidConfigException.class, () -> ids.next(ParcelId.class));
            assertTrue(failure.getMessage().contains("ParcelId: ids of this form need keys"), failure::toString);
            assertTrue(ids.next(TicketId.class).value() > 0);
            assertEquals(new ParcelId(1), IDS.mintingTags(segments::tag).next(ParcelId.class));
        }
    }

    @Test
    void aClassWithoutASourceOrAnApplicationWithoutAGeneratorIsNamed() {
        for (Class<? extends TypedId> type : List.of(RowId.class, TicketId.class, EventId.class, BothId.class)) {
            String message = assertThrows(InvalidConfigException.class, () -> TypedId.next(type))
                    .getMessage();
            String expected = type == RowId.class
                    ? "RowId: it does not say where new ids come from"
                    : type == BothId.class ? "BothId: tag and snowflake" : "there is no generator";
            assertTrue(message.contains(expected), message);
        }
    }

    @Test
    void missingKeysFailAtTheFirstUseAndNameTheClass() {
        for (TypedIds ids : List.of(TypedIds.withoutKeys(), TypedIds.ofEnvironment())) {
            assertEquals("42", ids.text(new RowId(42)));
            var failure = assertThrows(InvalidConfigException.class, () -> ids.text(new OrderId(42)));
            String message = failure.getMessage();
            assertTrue(message.startsWith("io.github.leafmint.OrderId: "), message);
            assertTrue(message.contains("need keys, and none are configured"), message);
        }
    }

    @Test
    void keysArePassedOnOnceTheyAreKnown() {
        IdKeys keys = IdKeys.of(IdKeys.generate(0));
        var ids = TypedIds.of(() -> keys);
        var passed = new ArrayList<IdKeys>();
        ids.mintingTags(tag -> () -> 1).onKeys(passed::add);
        assertEquals(List.of(), passed);
        ids.text(new CustomerId(1));
        ids.text(new MemberId(1));
        assertEquals(List.of(keys), passed);
        ids.onKeys(passed::add);
        assertEquals(List.of(keys, keys), passed);
    }

    @Test
    void theSupplierOfKeysIsAskedOnceWhenKeysAreNeeded() {
        var asked = new AtomicInteger();
        TypedIds ids = TypedIds.of(() -> {
            if (asked.incrementAndGet() == 1) {
                throw new InvalidConfigException("not yet");
            }
            return KEYS;
        });
        ids.text(new RowId(42));
        assertEquals(0, asked.get());
        assertThrows(InvalidConfigException.class, () -> ids.text(new OrderId(42)));
        assertEquals(IDS.text(new OrderId(42)), ids.text(new OrderId(42)));
        ids.text(new CustomerId(42));
        assertEquals(2, asked.get());
    }

    @Test
    void theEnvironmentSuppliesKeys(@TempDir Path directory) throws Exception {
        var command = new ArrayList<>(List.of("env", "LEAFMINT_ID_KEYS=" + KEY, JavaProcess.java()));
        command.addAll(JavaProcess.usualOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Shown.class.getName()));
        assertEquals(
                IDS.text(new OrderId(42)) + "\n", JavaProcess.execute(command).output());
    }

    static final class Shown {
        public static void main(String[] arguments) {
            System.out.println(new OrderId(42));
        }
    }

    static final class Undeclared extends TypedId {
        public Undeclared(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "Wrong Prefix", format = "{number}", keyNumber = 7)
    static final class Misdeclared extends TypedId {
        public Misdeclared(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "hidden")
    static final class Hidden extends TypedId {
        private Hidden(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "base")
    abstract static class Base extends TypedId {
        public Base(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "picky")
    static final class PickyId extends TypedId {
        public PickyId(long value) {
            super(value);
            throw new UnsupportedOperationException("picky");
        }
    }

    @Test
    void aWrongDeclarationIsRefusedAndNamesTheClass() {
        refused(Undeclared.class, "annotate it with @IdForm");
        refused(Hidden.class, "no public constructor that takes one long");
        refused(Base.class, "it is abstract");
        refused(TypedId.class, "annotate it with @IdForm");
        refused(Misdeclared.class, "Wrong Prefix", "it has no format", "it has no key_number");
    }

    private static void refused(Class<? extends TypedId> type, String... words) {
        for (int round = 0; round < 2; round++) {
            var failure = assertThrows(InvalidConfigException.class, () -> IDS.pattern(type));
            assertTrue(failure.getMessage().startsWith(type.getName() + ": "), failure.getMessage());
            for (String word : words) {
                assertTrue(failure.getMessage().contains(word), failure.getMessage());
            }
        }
    }

    @Test
    void anExceptionOfTheConstructorIsPassedOn() {
        assertThrows(UnsupportedOperationException.class, () -> TypedId.of(PickyId.class, 1));
        assertFalse(IDS.pattern(PickyId.class).isEmpty());
    }
}
