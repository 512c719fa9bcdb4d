package io.github.leafmint.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.OrderId;
import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.IdKeys;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

class TypedIdModuleTest {
    private static final TypedIds IDS =
            TypedIds.of(IdKeys.of("lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"));
    private static final String TEXT = IDS.text(new OrderId(42));
    private static final String OTHER = IDS.text(new CustomerId(42));

    @IdForm(prefix = "customer")
    @SuppressWarnings("serial")
    static final class CustomerId extends TypedId {
        public CustomerId(long value) {
            super(value);
        }
    }

    /** Both generations, each with a mapper that has the module and one without, which uses the default. */
    enum Jackson {
        TWO {
            private final ObjectMapper mapper = new ObjectMapper().registerModule(new TypedIdModule(IDS));
            private final ObjectMapper ofDefault = new ObjectMapper();

            @Override
            String write(Object value) throws IOException {
                return mapper.writeValueAsString(value);
            }

            @Override
            String writeByDefault(Object value) throws IOException {
                return ofDefault.writeValueAsString(value);
            }

            @Override
            <T> T read(String json, Class<T> type) throws IOException {
                return mapper.readValue(json, type);
            }

            @Override
            Map<OrderId, CustomerId> readMap(String json) throws IOException {
                return mapper.readValue(json, new TypeReference<>() {});
            }
        },
        THREE {
            private final JsonMapper mapper = JsonMapper.builder()
                    .addModule(new io.github.leafmint.jackson3.TypedIdModule(IDS))
                    .build();
            private final JsonMapper ofDefault = JsonMapper.builder().build();

            @Override
            String write(Object value) {
                return mapper.writeValueAsString(value);
            }

            @Override
            String writeByDefault(Object value) {
                return ofDefault.writeValueAsString(value);
            }

            @Override
            <T> T read(String json, Class<T> type) {
                return mapper.readValue(json, type);
            }

            @Override
            Map<OrderId, CustomerId> readMap(String json) {
                return mapper.readValue(json, new tools.jackson.core.type.TypeReference<>() {});
            }
        };

        abstract String write(Object value) throws IOException;

        abstract String writeByDefault(Object value) throws IOException;

        abstract <T> T read(String json, Class<T> type) throws IOException;

        abstract Map<OrderId, CustomerId> readMap(String json) throws IOException;

        /** Reads what must be refused, and returns the message of an exception of Jackson's own. */
        String refused(String json, Class<?> type) {
            var failure = assertThrows(Exception.class, () -> read(json, type), json);
            assertEquals("InvalidFormatException", failure.getClass().getSimpleName(), failure::toString);
            return failure.getMessage();
        }
    }

    record OrderView(OrderId id, List<CustomerId> customers) {}

    record AnyView(TypedId id) {}

    @ParameterizedTest
    @EnumSource
    void anIdIsItsText(Jackson jackson) throws IOException {
        var order = new OrderView(new OrderId(42), List.of(new CustomerId(42)));
        String json = jackson.write(order);
        assertEquals("{\"id\":\"" + TEXT + "\",\"customers\":[\"" + OTHER + "\"]}", json);
        assertEquals(order, jackson.read(json, OrderView.class));
        assertEquals(new OrderView(null, null), jackson.read("{\"id\":null}", OrderView.class));
        assertEquals("{\"id\":\"" + TEXT + "\"}", jackson.write(new AnyView(new OrderId(42))));
    }

    @ParameterizedTest
    @EnumSource
    void theKeyOfAMapIsItsTextToo(Jackson jackson) throws IOException {
        var map = Map.of(new OrderId(42), new CustomerId(42));
        String json = jackson.write(map);
        assertEquals("{\"" + TEXT + "\":\"" + OTHER + "\"}", json);
        assertEquals(map, jackson.readMap(json));
        var failure = assertThrows(Exception.class, () -> jackson.readMap("{\"42\":null}"));
        assertEquals("InvalidFormatException", failure.getClass().getSimpleName());
        assertTrue(failure.getMessage().contains("is not an id of this kind: \"order\""), failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void everythingElseIsRefused(Jackson jackson) {
        String message = jackson.refused("{\"id\":\"" + OTHER + "\"}", OrderView.class);
        assertTrue(message.contains("is not an id of this kind: \"order\""), message);
        for (String number : List.of("42", "42.0", "-1", "1e3")) {
            message = jackson.refused("{\"id\":" + number + "}", OrderView.class);
            assertTrue(message.contains("an id is a text, not a number"), message);
        }
        for (String json : List.of("\"\"", "\"42\"", "\"100%s\"")) {
            jackson.refused(json, OrderId.class);
        }
        for (String json : List.of("true", "[\"" + TEXT + "\"]", "{\"value\":42}")) {
            assertThrows(Exception.class, () -> jackson.read(json, OrderId.class), json);
        }
        assertThrows(Exception.class, () -> jackson.read("{\"id\":\"" + TEXT + "\"}", AnyView.class));
    }

    @ParameterizedTest
    @EnumSource
    void missingKeysAreTheCauseOfTheFailure(Jackson jackson) {
        var order = new OrderView(new OrderId(42), null);
        var failure = assertThrows(Exception.class, () -> jackson.writeByDefault(order));
        assertTrue(failure.getCause() instanceof InvalidConfigException, failure::toString);
    }
}
