package io.github.leafmint.gallery;

import static io.github.leafmint.gallery.Proof.refused;
import static io.github.leafmint.gallery.TypedIdLibrariesTest.GUESSES;
import static io.github.leafmint.gallery.TypedIdLibrariesTest.guess;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.owlike.genson.Genson;
import com.thoughtworks.xstream.XStream;
import io.github.leafmint.OrderId;
import io.github.leafmint.ids.TypedIds;
import io.protostuff.LinkedBuffer;
import io.protostuff.ProtostuffIOUtil;
import io.protostuff.runtime.RuntimeSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.apache.avro.reflect.ReflectData;
import org.apache.fory.Fory;
import org.jeasy.random.EasyRandom;
import org.jeasy.random.EasyRandomParameters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mapstruct.ap.MappingProcessor;
import org.mapstruct.factory.Mappers;
import org.modelmapper.ModelMapper;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** What libraries that know nothing of leafmint make of typed ids: the others. */
@Gallery("Typed ids in Java")
@Tag("long")
@Timeout(120)
class MoreTypedIdLibrariesTest {
    private static final Order ORDER = Order.of(42);

    @TempDir
    Path sources;

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
            meaning = "`InsecureException`; register the class that it names",
            match = "io.github.leafmint.ids.TypedId.Serialized is not registered")
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
            meaning = "shows the number in the XML; do not send it to clients")
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
            meaning = "makes an id of any number; do not load what clients send")
    void snakeyamlReads() {
        var yaml = new Yaml(new LoaderOptions());
        assertEquals(new OrderId(42), yaml.loadAs("id: 42", Order.class).id);
        refused(() -> yaml.loadAs("id: {}", Order.class), "OrderId");
    }

    @Row(library = "modelmapper", what = "`map`", outcome = "right", meaning = "the copy has the same id")
    void modelmapper() {
        assertEquals(ORDER, new ModelMapper().map(ORDER, Order.class));
    }

    /** <a href="https://github.com/j-easy/easy-random/issues/400">Values that the class does not allow</a>. */
    @Row(library = "easy-random", what = "`nextObject`", outcome = "right", meaning = "valid ids only")
    void easyRandom() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new EasyRandom(new EasyRandomParameters().seed(seed));
            OrderId id = random.nextObject(Order.class).id;
            assertEquals(id, TypedIds.getDefault().parse(OrderId.class, id.toString()));
        }
    }

    record Line(OrderId id, String item) {}

    /** <a href="https://github.com/FasterXML/jackson-dataformats-text/issues/556">Objects in columns</a>. */
    @Row(
            library = "jackson-2",
            what = "`CsvMapper`",
            outcome = "right",
            meaning = "the text in columns, also of lists; a number is refused")
    void csv() throws Exception {
        var mapper = new CsvMapper();
        for (Object row : new Object[] {ORDER, new Line(ORDER.id, "tea")}) {
            var schema = mapper.schemaFor(row.getClass()).withHeader();
            String written = mapper.writer(schema).writeValueAsString(row);
            assertTrue(written.contains(ORDER.id.toString()), written);
            assertEquals(row, mapper.readerFor(row.getClass()).with(schema).readValue(written));
        }
        var lines =
                mapper.readerFor(Line.class).with(mapper.schemaFor(Line.class).withHeader());
        refused(() -> lines.readValue("id,item\n42,tea\n"), "not an id of this kind");
    }

    /** <a href="https://github.com/assertj/assertj/issues/886">Comparisons that do not, or only, call equals</a>. */
    @Row(
            library = "assertj",
            what = "`usingRecursiveComparison`",
            outcome = "right",
            meaning = "compares the numbers as it compares fields, and types `withStrictTypeChecking()` only")
    void assertj() {
        assertThat(Order.of(42)).usingRecursiveComparison().isEqualTo(Order.of(42));
        assertThat(Order.of(42)).usingRecursiveComparison().isNotEqualTo(Order.of(43));
    }

    @CommandLine.Command
    static class Show {
        @CommandLine.Option(names = "--id")
        OrderId id;
    }

    /** <a href="https://github.com/remkop/picocli/issues/237">Options of classes of your own</a>. */
    @Row(
            library = "picocli",
            what = "an option of the class `OrderId`",
            outcome = "loud",
            meaning = "`MissingTypeConverterException` names the class",
            match = "No TypeConverter registered for io.github.leafmint.OrderId")
    void picocli() {
        new CommandLine(new Show()).parseArgs("--id", ORDER.id.toString());
    }

    @Row(
            library = "picocli",
            what = "`registerConverter` with `TypedIds.parse`",
            outcome = "right",
            meaning = "the id; a number is refused")
    void picocliWithConverter() {
        var show = new Show();
        var line = new CommandLine(show)
                .registerConverter(OrderId.class, text -> TypedIds.getDefault().parse(OrderId.class, text));
        line.parseArgs("--id", ORDER.id.toString());
        assertEquals(ORDER.id, show.id);
        refused(() -> line.parseArgs("--id", "42"), "Invalid value for option '--id'");
    }

    /** <a href="https://github.com/mapstruct/mapstruct/issues/3801">A class around one value</a>. */
    @Row(
            library = "mapstruct",
            what = "properties and lists; strings by a method with a body",
            outcome = "right",
            meaning = "the same ids; their texts")
    void mapstruct() throws Exception {
        assertEquals(ORDER, mapped("Order copy(Order order);", ORDER));
        String methods =
                "List<String> texts(List<OrderId> ids); default String text(OrderId id) { return id.toString(); }";
        assertEquals(List.of(ORDER.id.toString()), mapped(methods, List.of(ORDER.id)));
    }

    @Row(
            library = "mapstruct",
            what = "properties that are strings or numbers",
            outcome = "loud",
            meaning = "the compiler names the class; write the method that it names",
            match = "Can't map property \"OrderId id\" to \"Long id\"")
    void mapstructOfProperties() throws Exception {
        String shown = "Shown shown(Order order); class Shown { public %s id; }";
        refused(() -> mapped(shown.formatted("String"), ORDER), "Can't map property \"OrderId id\" to \"String id\"");
        mapped(shown.formatted("Long"), ORDER);
    }

    @Row(
            library = "mapstruct",
            what = "`String text(OrderId id)`, `OrderId id(String text)` without bodies",
            outcome = "silent",
            meaning = "an empty string; id 0, with a compiler warning; write `id.toString()` and `TypedIds.parse`")
    void mapstructOfTexts() throws Exception {
        assertEquals("", mapped("String text(OrderId id);", ORDER.id));
        assertEquals(new OrderId(0), mapped("OrderId id(String text);", ORDER.id.toString()));
    }

    /** Returns what the method without a body of a mapper that MapStruct makes returns. */
    private Object mapped(String methods, Object argument) throws Exception {
        String imports =
                "import io.github.leafmint.OrderId; import io.github.leafmint.gallery.Order; import java.util.List;";
        String mapper = imports + " @org.mapstruct.Mapper public interface Orders { " + methods + " }";
        Path folder = Files.createTempDirectory(sources, "mapstruct");
        var compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new DiagnosticCollector<JavaFileObject>();
        try (var files = compiler.getStandardFileManager(problems, null, null);
                var made = new URLClassLoader(new URL[] {folder.toUri().toURL()}, Order.class.getClassLoader())) {
            var source = files.getJavaFileObjects(Files.writeString(folder.resolve("Orders.java"), mapper));
            var options = List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
            var task = compiler.getTask(null, files, problems, options, null, source);
            task.setProcessors(List.of(new MappingProcessor()));
            if (!task.call()) {
                throw new IllegalArgumentException(problems.getDiagnostics().toString());
            }
            Class<?> orders = made.loadClass("Orders");
            Method declared = Stream.of(orders.getMethods())
                    .filter(method -> !method.isDefault())
                    .findFirst()
                    .orElseThrow();
            return declared.invoke(Mappers.getMapper(orders), argument);
        }
    }
}
