package ids;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What springdoc's document says of typed ids. */
@Timeout(120)
class OpenApiTest {
    private static JsonObject document;

    @BeforeAll
    static void read() throws Exception {
        try (var shop = Application.start("spring.main.web-application-type=servlet", Application.KEYS)) {
            document = JsonParser.parseString(shop.get("/v3/api-docs").body()).getAsJsonObject();
        }
    }

    @Test
    void aTypedIdIsAStringWithPatternAndExample() {
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

    /** Swagger remembers the schema of a string: a pattern in it would be that of every string and every id. */
    @Test
    void eachTypedIdHasAPatternOfItsOwnAndStringsHaveNone() {
        JsonObject properties = at(document, "components", "schemas", "ParcelView", "properties");
        assertDescribed(properties.getAsJsonObject("id"), example(Shop.ParcelId.class));
        assertDescribed(properties.getAsJsonObject("order"), example(OrderId.class));
        assertDescribed(at(properties, "orders", "items"), example(OrderId.class));
        assertPlain(properties.getAsJsonObject("carrier"));
        assertPlain(at(properties, "labels", "items"));
        JsonObject get = at(document, "paths", "/parcels/{id}", "get");
        assertDescribed(parameter(get, 0), example(Shop.ParcelId.class));
        assertDescribed(parameter(get, 1), example(CustomerId.class));
        assertPlain(parameter(get, 2));
        JsonObject answer = at(document, "paths", "/parcels/{id}/carrier", "get", "responses", "200", "content");
        assertPlain(at(answer, answer.keySet().iterator().next(), "schema"));
        JsonObject order = at(document, "paths", "/orders/{id}", "get");
        assertDescribed(parameter(order, 0), example(OrderId.class));
    }

    private static JsonObject parameter(JsonObject operation, int index) {
        return operation
                .getAsJsonArray("parameters")
                .get(index)
                .getAsJsonObject()
                .getAsJsonObject("schema");
    }

    private static void assertPlain(JsonObject schema) {
        assertThat(schema.keySet()).containsExactly("type");
        assertThat(schema.get("type").getAsString()).isEqualTo("string");
    }

    private static String example(Class<? extends TypedId> type) {
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
