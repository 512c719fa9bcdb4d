package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeafmintTest {
    @Test
    void theOptionsAreThoseOfTheVectors() throws Exception {
        assertEquals(options("options.json"), Leafmint.options());
        assertEquals(options("snowflake_options.json"), Leafmint.snowflakeOptions());
    }

    private static List<OptionSpec> options(String name) throws Exception {
        var options = new ArrayList<OptionSpec>();
        for (JsonElement element : Vectors.read(name).getAsJsonArray()) {
            var option = element.getAsJsonObject();
            options.add(new OptionSpec(
                    option.get("name").getAsString(),
                    option.get("shape").getAsString(),
                    option.get("default").getAsString(),
                    option.get("meaning").getAsString()));
        }
        return options;
    }

    @Test
    void schemaSqlReturnsTheTablesOfEachDialect() {
        assertTrue(Leafmint.schemaSql("mysql").contains("leaf_alloc"));
        assertTrue(Leafmint.schemaSql("sqlite").contains("leaf_alloc"));
        assertThrows(InvalidArgumentException.class, () -> Leafmint.schemaSql("oracle"));
    }
}
