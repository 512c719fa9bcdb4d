package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LeafmintTest {
    @Test
    void theVersionIsThatOfTheRelease() {
        assertTrue(Leafmint.version().matches("\\d+\\.\\d+\\.\\d+.*"), Leafmint.version());
    }

    @Test
    void schemaSqlReturnsTheTablesOfEachDialect() {
        assertTrue(Leafmint.schemaSql("mysql").contains("leaf_alloc"));
        assertTrue(Leafmint.schemaSql("sqlite").contains("leaf_alloc"));
        assertThrows(InvalidArgumentException.class, () -> Leafmint.schemaSql("oracle"));
    }
}
