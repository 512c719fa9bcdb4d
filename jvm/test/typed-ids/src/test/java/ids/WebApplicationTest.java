package ids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.ids.TypedIds;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.convert.ConversionService;

/** What strangers see of typed ids, on Spring MVC and on Spring WebFlux. */
@Timeout(120)
class WebApplicationTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";

    private static final Map<String, Application> SHOPS = new HashMap<>();

    private Application shop;
    private String order;
    private String customer;

    private void start(String kind) {
        shop = SHOPS.computeIfAbsent(
                kind, any -> Application.start("spring.main.web-application-type=" + any, Application.KEYS));
        TypedIds ids = shop.context().getBean(TypedIds.class);
        order = ids.text(new OrderId(42));
        customer = ids.text(new CustomerId(43));
    }

    @AfterAll
    static void close() {
        SHOPS.values().forEach(Application::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void pathsParametersHeadersAndFormsTakeTheText(String kind) throws Exception {
        start(kind);
        assertAnswer("42", shop.get("/parameter?id=" + order));
        assertAnswer("none", shop.get("/parameter"));
        assertAnswer("none", shop.get("/parameter?id="));
        assertAnswer("[42, 42]", shop.get("/parameters?id=" + order + "&id=" + order));
        assertAnswer("[42, 42]", shop.get("/parameters?id=" + order + "," + order));
        assertAnswer("42", shop.get("/header", "X-Order", order));
        for (String path : List.of("/form", "/bean")) {
            assertAnswer("42", shop.post(path, FORM, "note=x&id=" + order));
            assertAnswer("none", shop.post(path, FORM, "note=x&id="));
        }
    }

    private static void assertAnswer(String body, HttpResponse<String> response) {
        assertThat(response.body()).isEqualTo(body);
        assertThat(response.statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void jsonHasTheTextInValuesAndKeys(String kind) throws Exception {
        start(kind);
        String body = "{\"id\":\"" + order + "\",\"customer\":\"" + customer + "\",\"watchers\":{\"" + order + "\":[\""
                + customer + "\"]}}";
        assertAnswer(body, shop.get("/orders/" + order));
        assertAnswer(body, shop.post("/json", JSON, body));
    }

    /** Spring answers a parameter that it cannot convert, and a body that it cannot read, with 400. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void everythingElseIsABadRequest(String kind) throws Exception {
        start(kind);
        for (String wrong : List.of("42", customer, order.toUpperCase(), order + "0")) {
            assertRefused(shop.get("/orders/" + wrong));
            assertRefused(shop.get("/parameter?id=" + wrong));
            assertRefused(shop.get("/header", "X-Order", wrong));
            assertRefused(shop.post("/form", FORM, "id=" + wrong));
            assertRefused(shop.post("/bean", FORM, "id=" + wrong));
            assertRefused(shop.post("/json", JSON, "{\"id\":\"" + wrong + "\"}"));
            assertRefused(shop.post("/json", JSON, "{\"watchers\":{\"" + wrong + "\":[]}}"));
        }
        for (String wrong : List.of("42", "42.0", "{\"value\":42}", "[42]", "\"\"")) {
            assertRefused(shop.post("/json", JSON, "{\"id\":" + wrong + "}"));
        }
    }

    /** Spring would call the constructor of a class that it takes for a part of the form. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void aFormDoesNotTakeTheNumberAsAPartOfTheId(String kind) throws Exception {
        start(kind);
        for (String body : List.of("id.value=42", "note=x&id.value=42")) {
            assertRefused(shop.post("/form", FORM, body));
            assertRefused(shop.post("/unnamed", FORM, body.replace("id.", "")));
        }
        for (String path : List.of("/form", "/bean", "/unnamed")) {
            for (String body : List.of("id.value=42", "value=42", "id[value]=42", "id._value=42", "!id.value=42")) {
                assertThat(shop.post(path, FORM, body).body()).as(path + " " + body).isNotEqualTo("42");
            }
        }
    }

    private static void assertRefused(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void viewsAndUriTemplatesGetTheText(String kind) {
        start(kind);
        String name = kind.equals("servlet") ? "mvcConversionService" : "webFluxConversionService";
        var conversions = shop.context().getBean(name, ConversionService.class);
        assertThat(conversions.convert(new OrderId(42), String.class)).isEqualTo(order);
        assertThat("/orders/" + new OrderId(42)).isEqualTo("/orders/" + order);
    }
}
