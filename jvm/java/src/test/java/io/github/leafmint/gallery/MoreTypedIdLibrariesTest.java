package io.github.leafmint.gallery;

import static io.github.leafmint.gallery.Proof.refused;
import static io.github.leafmint.gallery.TypedIdLibrariesTest.GUESSES;
import static io.github.leafmint.gallery.TypedIdLibrariesTest.guess;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import com.owlike.genson.Genson;
import com.thoughtworks.xstream.XStream;
import io.github.leafmint.OrderId;
import io.protostuff.LinkedBuffer;
import io.protostuff.ProtostuffIOUtil;
import io.protostuff.runtime.RuntimeSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.reflect.ReflectData;
import org.apache.fory.Fory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.modelmapper.ModelMapper;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** What libraries that know nothing of leafmint make of typed ids: the others. */
@Gallery("Typed ids in Java")
@Tag("long")
@Timeout(120)
class MoreTypedIdLibrariesTest {
    private static final Order ORDER = Order.of(42);

    @BeforeAll
    static void setKeys() {
        TypedIdLibrariesTest.setKeys();
    }

    @AfterAll
    static void forgetKeys() {
        TypedIdLibrariesTest.forgetKeys();
    }

    @Row(
            library = "hessian-lite",
            what = "`Hessian2Output`, as Dubbo has it",
            outcome = "right",
            meaning = "the id comes back, in fields, lists and keys of maps")
    void hessianLite() throws Exception {
        var bytes = new ByteArrayOutputStream();
        var out = new Hessian2Output(bytes);
        out.writeObject(ORDER);
        out.writeObject(new HashMap<>(Map.of(ORDER.id, ORDER)));
        out.flush();
        var in = new Hessian2Input(new ByteArrayInputStream(bytes.toByteArray()));
        assertEquals(ORDER, in.readObject());
        assertEquals(Map.of(ORDER.id, ORDER), in.readObject());
    }

    @Row(library = "hessian", what = "`Hessian2Output`", outcome = "right", meaning = "the id comes back")
    void hessian() throws Exception {
        var bytes = new ByteArrayOutputStream();
        var out = new com.caucho.hessian.io.Hessian2Output(bytes);
        out.writeObject(ORDER);
        out.flush();
        var in = new com.caucho.hessian.io.Hessian2Input(new ByteArrayInputStream(bytes.toByteArray()));
        assertEquals(ORDER, in.readObject());
    }

    @Row(library = "protostuff", what = "`RuntimeSchema`", outcome = "right", meaning = "the id comes back")
    void protostuff() {
        var schema = RuntimeSchema.getSchema(Order.class);
        byte[] bytes = ProtostuffIOUtil.toByteArray(ORDER, schema, LinkedBuffer.allocate());
        Order read = schema.newMessage();
        ProtostuffIOUtil.mergeFrom(bytes, read, schema);
        assertEquals(ORDER, read);
    }

    @Row(library = "fory", what = "unregistered classes", outcome = "right", meaning = "the id comes back")
    void fory() {
        Fory fory = Fory.builder().requireClassRegistration(false).build();
        assertEquals(ORDER, fory.deserialize(fory.serialize(ORDER)));
    }

    @Row(
            library = "fory",
            what = "registered classes",
            outcome = "loud",
            meaning = "`InsecureException` names what to register too",
            match = "io.github.leafmint.TypedId.Serialized is not registered")
    void foryWithRegistration() {
        Fory fory = Fory.builder().build();
        fory.register(Order.class);
        fory.register(OrderId.class);
        fory.serialize(ORDER);
    }

    @Row(
            library = "xstream",
            what = "`toXML`, `fromXML`",
            outcome = "silent",
            meaning = "the id comes back, but the XML shows its number: do not send it to clients")
    void xstream() {
        var xstream = new XStream();
        xstream.allowTypesByWildcard(new String[] {"io.github.leafmint.**"});
        assertEquals(ORDER, xstream.fromXML(xstream.toXML(ORDER)));
    }

    @Row(
            library = "fastjson",
            what = "`JSON.toJSONString`",
            outcome = "loud",
            meaning = "names the class, and says what to do",
            match = "OrderId has no properties to write")
    void fastjson1() {
        com.alibaba.fastjson.JSON.toJSONString(ORDER);
    }

    @Row(
            library = "genson",
            what = "`serialize`, `deserialize`",
            outcome = "loud",
            meaning = "`JsonBindingException` names the class",
            match = "'leafmintTypedId' using accessor")
    void genson() {
        for (String id : GUESSES) {
            refused(() -> new Genson().deserialize(guess(id), Order.class), "OrderId");
        }
        new Genson().serialize(ORDER);
    }

    @Row(
            library = "avro",
            what = "`ReflectData`",
            outcome = "loud",
            meaning = "`AvroTypeException` names `TypedId$HasFieldOfSameName`",
            match = "TypedId.HasFieldOfSameName")
    void avro() {
        ReflectData.get().getSchema(Order.class);
    }

    @Row(
            library = "snakeyaml",
            what = "`dump`",
            outcome = "loud",
            meaning = "`YAMLException` names the class",
            match = "No JavaBean properties found in io.github.leafmint.OrderId")
    void snakeyaml() {
        new Yaml(new DumperOptions()).dump(ORDER);
    }

    @Row(
            library = "snakeyaml",
            what = "`load` into a class",
            outcome = "silent",
            meaning = "makes an id of a number, as it calls constructors; do not load what callers send")
    void snakeyamlReads() {
        var yaml = new Yaml(new LoaderOptions());
        assertEquals(new OrderId(42), yaml.loadAs("id: 42", Order.class).id);
        refused(() -> yaml.loadAs("id: {}", Order.class), "OrderId");
    }

    @Row(library = "modelmapper", what = "`map`", outcome = "right", meaning = "the copy has the same id")
    void modelmapper() {
        assertEquals(ORDER, new ModelMapper().map(ORDER, Order.class));
    }
}
