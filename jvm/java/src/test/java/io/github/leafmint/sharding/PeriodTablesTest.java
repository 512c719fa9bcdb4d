package io.github.leafmint.sharding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.Layout;
import io.github.leafmint.LongRange;
import io.github.leafmint.Vectors;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeriodTablesTest {
    private static Instant at(JsonObject of, String name) {
        return Instant.ofEpochMilli(of.get(name).getAsLong());
    }

    private static List<String> tables(JsonObject of) {
        ZoneId zone = ZoneId.of(of.get("zone").getAsString());
        return PeriodTables.names(of.get("pattern").getAsString(), at(of, "start"), at(of, "end"), zone);
    }

    private static Layout layout(JsonObject of) {
        String text = of.get("layout").getAsString();
        JsonElement epoch = of.get("epoch");
        return epoch.isJsonNull() ? Layout.of(text) : Layout.of(text, Instant.ofEpochMilli(epoch.getAsLong()));
    }

    @Test
    void tablesOfSpansAreThoseOfTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("spans.json", "tables")) {
            List<String> tables = expected.getAsJsonArray("tables").asList().stream()
                    .map(JsonElement::getAsString)
                    .toList();
            assertEquals(tables, tables(expected), expected::toString);
            if (!tables.isEmpty()) {
                ZoneId zone = ZoneId.of(expected.get("zone").getAsString());
                String pattern = expected.get("pattern").getAsString();
                assertEquals(tables.get(0), PeriodTables.name(pattern, at(expected, "start"), zone));
            }
        }
        for (JsonObject expected : Vectors.cases("spans.json", "invalid_tables")) {
            Vectors.refused(expected, () -> tables(expected));
        }
    }

    @Test
    void rangesOfIdsAreThoseOfTheVectors() throws Exception {
        for (JsonObject expected : Vectors.cases("spans.json", "ids")) {
            LongRange range = layout(expected).idRange(at(expected, "start"), at(expected, "end"));
            assertEquals(expected.get("first").getAsLong(), range.start());
            assertEquals(expected.get("end_id").getAsLong(), range.end());
        }
        for (JsonObject expected : Vectors.cases("spans.json", "invalid_ids")) {
            Vectors.refused(expected, () -> layout(expected).idRange(at(expected, "start"), at(expected, "end")));
        }
    }

    @Test
    void theTableOfAnIdIsThatOfItsTime() {
        Layout leaf = Layout.of("leaf");
        Instant november = Instant.parse("2026-11-01T00:00:00Z");
        long id = leaf.compose(november).workerId(7).sequence(42).id();
        String pattern = "orders_{year}{month}";
        assertEquals("orders_202611", PeriodTables.name(pattern, leaf.decode(id).timestamp(), ZoneOffset.UTC));
        assertEquals("orders_202610", PeriodTables.name(pattern, leaf.decode(id).timestamp(), ZoneOffset.ofHours(-4)));
    }

    @Test
    void momentsThatAreTooFarAreRefused() {
        for (Instant far : List.of(Instant.MIN, Instant.MAX, Instant.ofEpochMilli(-1))) {
            var failure = assertThrows(
                    InvalidArgumentException.class, () -> PeriodTables.name("{year}", far, ZoneOffset.UTC));
            assertTrue(failure.getMessage().contains("9999"), failure::getMessage);
        }
    }
}
