package ids;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.leafmint.TypedIds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What springdoc's document says of typed ids. It needs no keys. */
@Timeout(120)
class OpenApiTest {
    @Test
    void aTypedIdIsAStringWithPatternAndExample() throws Exception {
        try (var shop = Application.start("spring.main.web-application-type=servlet")) {
            JsonObject document =
                    JsonParser.parseString(shop.get("/v3/api-docs").body()).getAsJsonObject();
            JsonObject path = at(document, "paths", "/orders/{id}", "get")
                    .getAsJsonArray("parameters")
                    .get(0)
                    .getAsJsonObject();
            assertDescribed(path.getAsJsonObject("schema"), example(OrderId.class));
            JsonObject properties = at(document, "components", "schemas", "OrderView", "properties");
            assertDescribed(properties.getAsJsonObject("id"), example(OrderId.class));
            JsonObject customer = properties.getAsJsonObject("customer");
            assertDescribed(customer, "customer_of_the_annotation");
            assertThat(customer.get("description").getAsString()).isEqualTo("Who ordered");
            assertThat(at(document, "components", "schemas").has("OrderId")).isFalse();
        }
    }

    private static String example(Class<OrderId> type) {
        return TypedIds.withoutKeys().example(type);
    }

    private static void assertDescribed(JsonObject schema, String example) {
        String prefix = example.substring(0, example.indexOf('_'));
        assertThat(schema.get("type").getAsString()).isEqualTo("string");
        assertThat(schema.get("pattern").getAsString()).isEqualTo("^" + prefix + "_[0-9a-hjkmnp-tv-z]{26}$");
        assertThat(schema.get("example").getAsString()).isEqualTo(example);
    }

    private static JsonObject at(JsonObject json, String... names) {
        JsonObject found = json;
        for (String name : names) {
            found = found.getAsJsonObject(name);
        }
        return found;
    }
}
