package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.leafmint.internal.results.Results;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(60)
class IdFormatTest {
    private static final IdFormat INVOICES = IdFormat.of("INV-{yy}{month}{day}-{number:6}-{check:damm}");
    private static final LocalDate NOVEMBER = LocalDate.of(2026, 11, 25);

    private static IdFormat format(JsonObject of) {
        return IdFormat.of(of.get("format").getAsString());
    }

    private static NumberParts parts(JsonObject of) {
        JsonElement date = of.get("date");
        JsonElement key = of.get("key");
        JsonElement shard = of.get("shard");
        return new Results.NumberParts(
                of.get("number").getAsLong(),
                date.isJsonNull() ? null : LocalDate.parse(date.getAsString()),
                key.isJsonNull() ? null : key.getAsString(),
                shard.isJsonNull() ? null : shard.getAsLong());
    }

    @Test
    void numbersAreWrittenAndReadAsInTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("formats.json", "numbers")) {
            IdFormat format = format(expected);
            String text = expected.get("text").getAsString();
            assertEquals(text, format.format(parts(expected)));
            assertEquals(parts(expected), format.parse(text));
            assertEquals(parts(expected), format.parseForgiving(text));
        }
    }

    @Test
    void whatPeopleWriteIsForgivenOnlyOnRequest() throws Exception {
        for (JsonObject expected : Vectors.cases("formats.json", "forgiven")) {
            IdFormat format = format(expected);
            String text = expected.get("text").getAsString();
            assertEquals(format.parse(expected.get("spelled").getAsString()), format.parseForgiving(text));
            assertThrows(InvalidIdException.class, () -> format.parse(text), expected::toString);
        }
    }

    @Test
    void partsThatCannotBeWrittenAreRefused() throws Exception {
        for (JsonObject expected : Vectors.cases("formats.json", "invalid_parts")) {
            Vectors.refused(expected, () -> format(expected).format(parts(expected)));
        }
    }

    @Test
    void textsThatAreNotNumbersOfTheFormatAreRefused() throws Exception {
        for (JsonObject expected : Vectors.cases("formats.json", "invalid_texts")) {
            IdFormat format = format(expected);
            String text = expected.get("text").getAsString();
            Vectors.refused(expected, () -> format.parse(text));
            if (expected.get("forgiving").getAsBoolean()) {
                Vectors.refused(expected, () -> format.parseForgiving(text));
            }
        }
    }

    @Test
    void formatsOfTheVectorsAreRefused() throws Exception {
        for (JsonObject expected : Vectors.cases("formats.json", "invalid_formats")) {
            Vectors.refused(expected, () -> format(expected));
        }
    }

    @Test
    void aDateIsWrittenAsFarAsTheFormatHasIt() {
        assertEquals("INV-261125-000042-6", INVOICES.format(NumberParts.of(42).on(NOVEMBER)));
        IdFormat yearly = IdFormat.of("{key}/{year}-{number}{shard:2}");
        NumberParts parts = NumberParts.of(42).on(NOVEMBER).withKey("shop-7").withShard(5);
        assertEquals("shop-7/2026-4205", yearly.format(parts));
        NumberParts parsed = yearly.parse("shop-7/2026-4205");
        assertEquals(new Results.NumberParts(42, LocalDate.of(2026, 1, 1), "shop-7", 5L), parsed);
        assertEquals("shop-7/2026-4205", yearly.format(parsed));
        assertEquals("000042", IdFormat.of("{number:6}").format(42));
    }

    @Test
    void aDateThatTheCoreDoesNotKnowIsRefused() {
        for (LocalDate date : new LocalDate[] {LocalDate.MIN, LocalDate.MAX, LocalDate.of(0, 1, 1)}) {
            NumberParts parts = NumberParts.of(1).on(date);
            var failure = assertThrows(InvalidArgumentException.class, () -> INVOICES.format(parts));
            assertTrue(failure.getMessage().contains("year=" + date.getYear()), failure.getMessage());
        }
    }

    @Test
    void formatsAreEqualIfTheirTextsAre() {
        assertEquals(INVOICES, IdFormat.of(INVOICES.text()));
        assertEquals(INVOICES.hashCode(), IdFormat.of(INVOICES.text()).hashCode());
        assertNotEquals(INVOICES, IdFormat.of("{number}"));
        assertEquals("INV-{yy}{month}{day}-{number:6}-{check:damm}", INVOICES.toString());
    }

    @Test
    void anUnpairedSurrogateIsRefused() {
        IdFormat keys = IdFormat.of("{key}-{number}");
        assertThrows(InvalidArgumentException.class, () -> IdFormat.of("{number}\ud83c"));
        assertThrows(InvalidArgumentException.class, () -> keys.parse("\ud83c"));
        NumberParts parts = NumberParts.of(1).withKey("\udf43\ud83c");
        assertThrows(InvalidArgumentException.class, () -> keys.format(parts));
    }

    @Test
    void nullIsRefusedWithTheNameOfTheParameter() {
        assertNamed("text", () -> IdFormat.of(null));
        assertNamed("text", () -> INVOICES.parse(null));
        assertNamed("text", () -> INVOICES.parseForgiving(null));
        assertNamed("parts", () -> INVOICES.format(null));
        assertNamed("date", () -> NumberParts.of(1).on(null));
        assertNamed("key", () -> NumberParts.of(1).withKey(null));
    }

    private static void assertNamed(String parameter, Executable call) {
        assertEquals(parameter, assertThrows(NullPointerException.class, call).getMessage());
    }
}
