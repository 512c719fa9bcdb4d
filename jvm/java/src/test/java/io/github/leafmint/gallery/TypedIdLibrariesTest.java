package io.github.leafmint.gallery;

import static io.github.leafmint.gallery.Proof.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONB;
import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.JSONWriter;
import com.alibaba.fastjson2.reader.ObjectReader;
import com.alibaba.fastjson2.reader.ObjectReaderProvider;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.google.gson.Gson;
import com.squareup.moshi.Moshi;
import io.github.leafmint.OrderId;
import io.github.leafmint.ids.IdKeys;
import io.github.leafmint.ids.TypedIds;
import jakarta.json.bind.JsonbBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.objenesis.strategy.StdInstantiatorStrategy;
import tools.jackson.databind.json.JsonMapper;

/** What libraries that know nothing of leafmint make of typed ids: those that most applications have. */
@Gallery("Typed ids in Java")
@Timeout(60)
@SuppressWarnings("deprecation") // caches use what Jackson and fastjson2 warn of
class TypedIdLibrariesTest {
    /** What a caller may send in place of an id. */
    static final List<String> GUESSES =
            List.of("{}", "42", "\"42\"", "{\"value\":42}", "{\"made\":42}", "{\"made\":-9223372036854775766}");

    private static final Order ORDER = Order.of(42);

    static class Orders extends java.util.HashMap<OrderId, Order> {
        private static final long serialVersionUID = 1L;
    }

    @BeforeAll
    static void setKeys() {
        TypedIds.setDefault(
                TypedIds.of(IdKeys.of("lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef")));
    }

    @AfterAll
    static void forgetKeys() {
        TypedIds.setDefault(TypedIds.ofEnvironment());
    }

    static String guess(String id) {
        return "{\"id\":" + id + ",\"item\":\"tea\"}";
    }

    /** Returns the order in JSON, as every mapper is to write it. */
    static String json(Order order) {
        return "{\"id\":\"%s\",\"others\":[\"%s\",\"%s\"],\"item\":\"tea\"}"
                .formatted(order.id, order.others.get(0), order.others.get(1));
    }

    @Row(
            library = "jackson-2",
            what = "your own `ObjectMapper`",
            outcome = "right",
            meaning = "the text, in values and keys of maps; a number or an empty object is refused")
    void jackson2() throws Exception {
        var mapper = new ObjectMapper();
        assertEquals(json(ORDER), mapper.writeValueAsString(ORDER));
        assertEquals(ORDER, mapper.readValue(json(ORDER), Order.class));
        var map = mapper.getTypeFactory().constructMapType(Map.class, OrderId.class, Order.class);
        String orders = mapper.writeValueAsString(Map.of(ORDER.id, ORDER));
        assertEquals("{\"" + ORDER.id + "\":" + json(ORDER) + "}", orders);
        assertEquals(Map.of(ORDER.id, ORDER), mapper.readValue(orders, map));
        assertEquals(Map.of(ORDER.id, ORDER), mapper.readValue(orders, Orders.class));
        for (String id : GUESSES) {
            refused(() -> mapper.readValue(guess(id), Order.class), "OrderId");
        }
        refused(() -> mapper.readValue("{\"42\":null}", map), "OrderId");
    }

    @Row(
            library = "jackson-2",
            what = "default typing, as caches have it",
            outcome = "right",
            meaning = "the class and the text")
    void jackson2WithTypes() throws Exception {
        var any = BasicPolymorphicTypeValidator.builder().allowIfSubType("").build();
        for (var typing : List.of(ObjectMapper.DefaultTyping.NON_FINAL, ObjectMapper.DefaultTyping.EVERYTHING)) {
            var mapper = new ObjectMapper().activateDefaultTyping(any, typing);
            for (Object value : List.of(ORDER, ORDER.others)) {
                assertEquals(value, mapper.readValue(mapper.writeValueAsString(value), Object.class));
            }
        }
        var mapper = new ObjectMapper().activateDefaultTyping(any, ObjectMapper.DefaultTyping.EVERYTHING);
        assertEquals(ORDER.id, mapper.readValue(mapper.writeValueAsString(ORDER.id), Object.class));
    }

    @Row(
            library = "jackson-3",
            what = "your own `JsonMapper`",
            outcome = "right",
            meaning = "the text, in values and keys of maps; a number or an empty object is refused")
    void jackson3() {
        var mapper = JsonMapper.builder().build();
        assertEquals(ORDER, mapper.readValue(mapper.writeValueAsString(ORDER), Order.class));
        assertEquals(ORDER, mapper.readValue(json(ORDER), Order.class));
        var map = mapper.getTypeFactory().constructMapType(Map.class, OrderId.class, Order.class);
        String orders = mapper.writeValueAsString(Map.of(ORDER.id, ORDER));
        assertTrue(orders.startsWith("{\"" + ORDER.id + "\":{"), orders);
        assertEquals(Map.of(ORDER.id, ORDER), mapper.readValue(orders, map));
        assertEquals(Map.of(ORDER.id, ORDER), mapper.readValue(orders, Orders.class));
        for (String id : GUESSES) {
            refused(() -> mapper.readValue(guess(id), Order.class), "OrderId");
        }
        refused(() -> mapper.readValue("{\"42\":null}", map), "OrderId");
    }

    @Row(
            library = "jackson-3",
            what = "default typing, as caches have it",
            outcome = "right",
            meaning = "the class and the text")
    void jackson3WithTypes() {
        var any = tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator.builder()
                .allowIfSubType("")
                .build();
        for (var typing : tools.jackson.databind.DefaultTyping.values()) {
            var mapper = JsonMapper.builder().activateDefaultTyping(any, typing).build();
            for (Object value : List.of(ORDER, ORDER.others, ORDER.id)) {
                var boxed = new Boxed(value);
                assertEquals(boxed, mapper.readValue(mapper.writeValueAsString(boxed), Boxed.class));
            }
        }
    }

    /** A value whose class the JSON says. */
    record Boxed(Object value) {}

    @Row(
            library = "gson",
            what = "`toJson`, `fromJson`",
            outcome = "loud",
            meaning = "`IllegalArgumentException` names `TypedId$NeedsTypeAdapter`",
            match = "TypedId.NeedsTypeAdapter")
    void gson() {
        for (String id : GUESSES) {
            refused(() -> new Gson().fromJson(guess(id), Order.class), "TypedId.NeedsTypeAdapter");
        }
        new Gson().toJson(ORDER);
    }

    @Row(
            library = "moshi",
            what = "`adapter`",
            outcome = "loud",
            meaning = "`IllegalArgumentException` names `TypedId.NeedsTypeAdapter`",
            match = "TypedId.NeedsTypeAdapter")
    void moshi() {
        new Moshi.Builder().build().adapter(Order.class);
    }

    @Row(
            library = "yasson",
            what = "`toJson`, `fromJson` (JSON-B)",
            outcome = "loud",
            meaning = "`JsonbException` names the class, its cause says what to do",
            match = "OrderId has no properties to write")
    void yasson() throws Exception {
        try (var jsonb = JsonbBuilder.create()) {
            for (String id : GUESSES) {
                refused(() -> jsonb.fromJson(guess(id), Order.class), "OrderId");
            }
            jsonb.toJson(ORDER);
        }
    }

    @Row(
            library = "fastjson2",
            what = "`JSON.toJSONString`",
            outcome = "loud",
            meaning = "names the class, and says what to do",
            match = "OrderId has no properties to write")
    void fastjson2() {
        JSON.toJSONString(ORDER);
    }

    /** It calls a constructor with 0 for a number that is missing, and nothing of ours can tell. */
    @Row(
            library = "fastjson2",
            what = "`JSON.parseObject`",
            outcome = "silent",
            meaning = "reads `{}` as id 0; first register a reader that calls `TypedIds.parse`")
    void fastjson2Reads() {
        assertEquals(new OrderId(0), JSON.parseObject(guess("{}"), Order.class).id);
        assertEquals(new OrderId(42), JSON.parseObject(guess("{\"value\":42}"), Order.class).id);
        refused(() -> JSON.parseObject(json(ORDER), Order.class), "JSONException");
        var readers = new ObjectReaderProvider();
        readers.register(OrderId.class, (ObjectReader<OrderId>) (parser, type, name, features) ->
                TypedIds.getDefault().parse(OrderId.class, String.valueOf(parser.readString())));
        var context = new JSONReader.Context(readers);
        assertEquals(ORDER, JSON.parseObject(json(ORDER), (Type) Order.class, context));
        for (String id : GUESSES) {
            refused(() -> JSON.parseObject(guess(id), (Type) Order.class, context), "InvalidIdException");
        }
    }

    @Row(
            library = "fastjson2",
            what = "`JSON.toJSONString`, `FieldBased`",
            outcome = "silent",
            meaning = "shows the number; do not send it to clients")
    void fastjson2WritesFields() {
        String text = JSON.toJSONString(new OrderId(42), JSONWriter.Feature.FieldBased);
        assertEquals("{\"made\":" + (Long.MIN_VALUE | 42) + "}", text);
    }

    @Row(
            library = "fastjson2",
            what = "`JSONB`, `FieldBased`, as Dubbo has it",
            outcome = "right",
            meaning = "the id comes back")
    void fastjson2Binary() {
        byte[] bytes = JSONB.toBytes(ORDER, JSONWriter.Feature.FieldBased, JSONWriter.Feature.WriteClassName);
        var reading = new JSONReader.Feature[] {JSONReader.Feature.FieldBased, JSONReader.Feature.SupportAutoType};
        assertEquals(ORDER, JSONB.parseObject(bytes, Order.class, reading));
    }

    @Row(
            library = "kryo",
            what = "`StdInstantiatorStrategy`, as Redisson has it",
            outcome = "right",
            meaning = "the id comes back, with registered classes or without")
    void kryo() {
        for (boolean registered : List.of(false, true)) {
            var kryo = new Kryo();
            kryo.setRegistrationRequired(registered);
            if (registered) {
                List.of(Order.class, OrderId.class, ORDER.others.getClass()).forEach(kryo::register);
            }
            kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
            assertEquals(ORDER, kryo.copy(ORDER));
            assertEquals(ORDER, comesBack(kryo));
        }
    }

    @Row(
            library = "kryo",
            what = "its own instantiator",
            outcome = "loud",
            meaning = "`KryoException`: the class has no constructor without arguments",
            match = "cannot be created .missing no-arg constructor.: io.github.leafmint.OrderId")
    void kryoWithoutInstantiator() {
        var kryo = new Kryo();
        kryo.setRegistrationRequired(false);
        comesBack(kryo);
    }

    private static Object comesBack(Kryo kryo) {
        var out = new Output(1024, -1);
        kryo.writeClassAndObject(out, ORDER);
        return kryo.readClassAndObject(new Input(out.toBytes()));
    }

    @Row(
            library = "Java serialisation",
            what = "sessions, caches, Spring's and Hazelcast's defaults",
            outcome = "right",
            meaning = "the id comes back")
    void javaSerialisation() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(ORDER);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertEquals(ORDER, in.readObject());
        }
    }
}
