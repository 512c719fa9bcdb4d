package io.github.leafmint.gallery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.config.CompactSerializationConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import feign.Feign;
import feign.Param;
import feign.RequestLine;
import feign.Response;
import feign.jackson.JacksonEncoder;
import graphql.GraphQL;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import io.github.leafmint.OrderId;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.media.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.TargetAggregateIdentifier;
import org.axonframework.serialization.json.JacksonSerializer;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.bson.Document;
import org.javers.core.JaversBuilder;
import org.javers.core.metamodel.annotation.Id;
import org.jdbi.v3.core.Jdbi;
import org.jooq.Converter;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.springframework.batch.core.JobParametersBuilder;
import org.springframework.batch.core.converter.DefaultJobParametersConverter;
import org.springframework.batch.core.repository.dao.DefaultExecutionContextSerializer;
import org.springframework.batch.core.repository.dao.Jackson2ExecutionContextStringSerializer;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.data.elasticsearch.core.convert.MappingElasticsearchConverter;
import org.springframework.data.elasticsearch.core.mapping.SimpleElasticsearchMappingContext;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.convert.NoOpDbRefResolver;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.redis.hash.ObjectHashMapper;
import org.springframework.data.redis.serializer.GenericJackson2JsonRedisSerializer;
import org.springframework.data.redis.serializer.Jackson2JsonRedisSerializer;
import org.springframework.data.redis.serializer.JdkSerializationRedisSerializer;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.hateoas.Link;
import org.springframework.hateoas.server.mvc.WebMvcLinkBuilder;
import org.springframework.kafka.support.serializer.JsonDeserializer;
import org.springframework.kafka.support.serializer.JsonSerializer;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** What frameworks make of typed ids without leafmint's starter: situations that users of ids of their own reported. */
@Gallery("Typed ids in Java")
@Tag("long")
@Timeout(120)
class FrameworkTypedIdTest {
    private static final Order ORDER = Order.of(42);

    @BeforeAll
    static void setKeys() {
        TypedIdLibrariesTest.setKeys();
    }

    @AfterAll
    static void forgetKeys() {
        TypedIdLibrariesTest.forgetKeys();
    }

    /**
     * <a href="https://github.com/spring-projects/spring-data-redis/issues/967">An id that came as its properties</a>.
     */
    @Row(
            library = "spring-data-redis",
            what = "JSON and JDK serializers",
            outcome = "right",
            meaning = "the id comes back; a map's keys come back as texts, as all keys do")
    void redis() {
        List<RedisSerializer<?>> serializers = List.of(
                new GenericJackson2JsonRedisSerializer(),
                new Jackson2JsonRedisSerializer<>(Order.class),
                new JdkSerializationRedisSerializer());
        for (RedisSerializer<?> serializer : serializers) {
            assertEquals(ORDER, comesBack(serializer, ORDER));
        }
        assertEquals(ORDER.id, comesBack(new GenericJackson2JsonRedisSerializer(), ORDER.id));
    }

    @SuppressWarnings("unchecked")
    private static Object comesBack(RedisSerializer<?> serializer, Object value) {
        return serializer.deserialize(((RedisSerializer<Object>) serializer).serialize(value));
    }

    @Row(
            library = "spring-data-redis",
            what = "`ObjectHashMapper`, `@RedisHash`",
            outcome = "loud",
            meaning = "`ConverterNotFoundException` names the class",
            match = "from type .io.github.leafmint.OrderId. to type")
    void redisHash() {
        new ObjectHashMapper().toHash(ORDER);
    }

    @Row(
            library = "spring-kafka",
            what = "`JsonSerializer`, `JsonDeserializer`",
            outcome = "right",
            meaning = "the text")
    void kafka() {
        try (var writer = new JsonSerializer<Order>();
                var reader = new JsonDeserializer<>(Order.class)) {
            byte[] bytes = writer.serialize("orders", ORDER);
            assertEquals(TypedIdLibrariesTest.json(ORDER), new String(bytes, StandardCharsets.UTF_8));
            assertEquals(ORDER, reader.deserialize("orders", bytes));
        }
    }

    /**
     * <a href="https://github.com/spring-projects/spring-data-mongodb/issues/1386">Classes of ids need converters</a>.
     */
    @Row(
            library = "spring-data-mongodb",
            what = "a document with ids",
            outcome = "loud",
            meaning = "`MappingException` names `TypedId`; declare two converters",
            match = "TypedId.HasFieldOfSameName")
    void mongodb() {
        var converter = new MappingMongoConverter(NoOpDbRefResolver.INSTANCE, new MongoMappingContext());
        converter.afterPropertiesSet();
        converter.write(ORDER, new Document());
    }

    @Row(
            library = "spring-data-elasticsearch",
            what = "a document with ids",
            outcome = "silent",
            meaning = "writes the number, and fails when it reads; declare two converters")
    void elasticsearch() {
        var converter = new MappingElasticsearchConverter(new SimpleElasticsearchMappingContext());
        converter.afterPropertiesSet();
        var document = org.springframework.data.elasticsearch.core.document.Document.create();
        converter.write(ORDER, document);
        assertEquals(Map.of("made", Long.MIN_VALUE | 42), document.get("id"));
        Proof.refused(() -> converter.read(Order.class, document), "MappingException");
    }

    /** <a href="https://github.com/spring-projects/spring-graphql/issues/413">`ID` of a value object</a>. */
    @Row(library = "graphql-java", what = "the scalar `ID`", outcome = "right", meaning = "the text; `Int` is an error")
    void graphql() {
        var schema = new SchemaParser().parse("type Query { id: ID, number: Int }");
        var wiring = RuntimeWiring.newRuntimeWiring()
                .type("Query", type -> type.dataFetcher("id", of -> ORDER.id).dataFetcher("number", of -> ORDER.id))
                .build();
        var graphql = GraphQL.newGraphQL(new SchemaGenerator().makeExecutableSchema(schema, wiring))
                .build();
        assertEquals(Map.of("id", ORDER.id.toString()), graphql.execute("{id}").getData());
        assertEquals(1, graphql.execute("{number}").getErrors().size());
    }

    interface Orders {
        @RequestLine("POST /orders/{id}?other={id}")
        void send(@Param("id") OrderId id, Order order);
    }

    /**
     * <a href="https://github.com/spring-cloud/spring-cloud-openfeign/issues/45">Parameters are texts of toString</a>.
     */
    @Row(library = "feign", what = "paths, parameters, bodies of Jackson", outcome = "right", meaning = "the text")
    void feign() {
        List<String> sent = new ArrayList<>();
        Feign.builder()
                .encoder(new JacksonEncoder())
                .client((request, options) -> {
                    sent.add(request.url());
                    sent.add(new String(request.body(), StandardCharsets.UTF_8));
                    return Response.builder().status(200).request(request).build();
                })
                .target(Orders.class, "http://shop")
                .send(ORDER.id, ORDER);
        assertEquals("http://shop/orders/" + ORDER.id + "?other=" + ORDER.id, sent.get(0));
        assertTrue(sent.get(1).contains('"' + ORDER.id.toString() + '"'), sent.get(1));
    }

    @Row(
            library = "jooq",
            what = "a value of a query",
            outcome = "loud",
            meaning = "`SQLDialectNotSupportedException` names the class; give the field a `Converter`",
            match = "Type class io.github.leafmint.OrderId is not supported")
    void jooq() throws Exception {
        String url = TypedIdDriversTest.url("LEAFMINT_TEST_POSTGRES", "jdbc:postgresql:");
        try (var connection = DriverManager.getConnection(url)) {
            DSL.using(connection).fetch("SELECT 1 WHERE 42 = ?", ORDER.id);
        }
    }

    /** <a href="https://github.com/jOOQ/jOOQ/issues/16192">Converters and Record.into</a>. */
    @Row(
            library = "jooq",
            what = "a `Converter` of `OrderId::new` and `OrderId::value`",
            outcome = "right",
            meaning = "SQL has the number, `formatJSON` the text")
    void jooqWithConverter() {
        var type = SQLDataType.BIGINT.asConvertedDataType(
                Converter.ofNullable(Long.class, OrderId.class, OrderId::new, OrderId::value));
        var id = DSL.field("id", type);
        var create = DSL.using(SQLDialect.POSTGRES);
        assertEquals("id = 42", create.renderInlined(id.eq(ORDER.id)));
        var row = create.newRecord(id).values(ORDER.id);
        assertEquals(ORDER.id, row.into(Order.class).id);
        assertTrue(row.formatJSON().contains('"' + ORDER.id.toString() + '"'), row.formatJSON());
    }

    @Row(
            library = "spring-boot",
            what = "`@ConfigurationProperties` from a string",
            outcome = "loud",
            meaning = "`ConverterNotFoundException`; declare a converter, `@ConfigurationPropertiesBinding`",
            match = "to type .io.github.leafmint.OrderId.")
    void configurationProperties() {
        var source = new MapConfigurationPropertySource(Map.of("shop.id", ORDER.id.toString()));
        new Binder(source).bind("shop", Order.class);
    }

    @Row(
            library = "spring-boot",
            what = "conversion of a number or to one",
            outcome = "loud",
            meaning = "`ConverterNotFoundException` names the class",
            match = "from type .io.github.leafmint.OrderId. to type .java.lang.Long.")
    void conversion() {
        Proof.refused(() -> new DefaultConversionService().convert(42L, OrderId.class), "OrderId");
        new DefaultConversionService().convert(ORDER.id, Long.class);
    }

    @Row(library = "spring-boot", what = "`BeanUtils.copyProperties`", outcome = "right", meaning = "the same id")
    void copy() {
        var copy = new Order();
        BeanUtils.copyProperties(ORDER, copy);
        assertEquals(ORDER, copy);
    }

    record Open(@TargetAggregateIdentifier OrderId id) {}

    record Opened(OrderId id) {}

    record Add(@TargetAggregateIdentifier OrderId id) {}

    record Added(OrderId id) {}

    static class Basket {
        @AggregateIdentifier
        OrderId id;

        Basket() {}

        @CommandHandler
        Basket(Open command) {
            AggregateLifecycle.apply(new Opened(command.id));
        }

        @CommandHandler
        void add(Add command) {
            AggregateLifecycle.apply(new Added(command.id));
        }

        @EventSourcingHandler
        void opened(Opened event) {
            id = event.id;
        }
    }

    /** <a href="https://github.com/AxonIQ/AxonFramework/issues/484">A value object as an identifier</a>. */
    @Row(
            library = "axon",
            what = "an `@AggregateIdentifier`, events as JSON",
            outcome = "right",
            meaning = "the text names the aggregate, and is in events")
    void axon() {
        var basket = new AggregateTestFixture<>(Basket.class);
        basket.given(new Opened(ORDER.id)).when(new Add(ORDER.id)).expectEvents(new Added(ORDER.id));
        var serializer = JacksonSerializer.defaultSerializer();
        var written = serializer.serialize(new Opened(ORDER.id), String.class);
        assertEquals("{\"id\":\"" + ORDER.id + "\"}", written.getData());
        assertEquals(new Opened(ORDER.id), serializer.deserialize(written));
    }

    static class Audited {
        @Id
        OrderId id;

        OrderId buyer;

        static Audited of(long buyer) {
            var audited = new Audited();
            audited.id = ORDER.id;
            audited.buyer = new OrderId(buyer);
            return audited;
        }
    }

    private static final Audited BEFORE = Audited.of(7);
    private static final Audited AFTER = Audited.of(8);

    /** <a href="https://github.com/javers/javers/issues/441">Keys that are shown by their fields</a>. */
    @Row(
            library = "javers",
            what = "`compare` of entities",
            outcome = "silent",
            meaning = "names entities by their numbers;"
                    + " call `registerValue(OrderId.class, OrderId::equals, OrderId::toString)`")
    void javers() {
        String key = "Audited/" + (Long.MIN_VALUE | 42);
        assertTrue(JaversBuilder.javers()
                .build()
                .compare(BEFORE, AFTER)
                .prettyPrint()
                .contains(key));
        var javers = JaversBuilder.javers()
                .registerValue(OrderId.class, OrderId::equals, OrderId::toString)
                .build();
        String shown = javers.compare(BEFORE, AFTER).prettyPrint();
        assertTrue(shown.contains("Audited/" + ORDER.id), shown);
        assertTrue(shown.contains("'" + BEFORE.buyer + "' -> '" + AFTER.buyer + "'"), shown);
    }

    @Row(
            library = "javers",
            what = "`commit`, JSON",
            outcome = "loud",
            meaning = "`IllegalArgumentException` names `TypedId$NeedsTypeAdapter`",
            match = "TypedId.NeedsTypeAdapter")
    void javersCommits() {
        JaversBuilder.javers().build().commit("ada", BEFORE);
    }

    /** <a href="https://github.com/jdbi/jdbi/issues/830">Arguments that a fallback bound, and no row was found</a>. */
    @Row(
            library = "jdbi",
            what = "`bind`, `bindBean`, `bindList`, `mapTo`, `mapToBean`",
            outcome = "loud",
            meaning = "an exception names the class; register an `ArgumentFactory` and a `ColumnMapper`",
            match = "OrderId")
    void jdbi() {
        String url = TypedIdDriversTest.url("LEAFMINT_TEST_POSTGRES", "jdbc:postgresql:");
        Jdbi.create(url).useHandle(handle -> {
            var found = handle.createQuery("SELECT 1 WHERE 42 = :id");
            Proof.refused(() -> found.bind("id", ORDER.id).mapTo(Integer.class).findOne(), "OrderId");
            var in = handle.createQuery("SELECT 1 WHERE 42 IN (<ids>)");
            Proof.refused(
                    () -> in.bindList("ids", List.of(ORDER.id))
                            .mapTo(Long.class)
                            .list(),
                    "OrderId");
            var read = handle.createQuery("SELECT 42::bigint AS id");
            Proof.refused(() -> read.mapTo(OrderId.class).one(), "OrderId");
            Proof.refused(() -> read.mapToBean(Order.class).one(), "OrderId");
            handle.createQuery("SELECT 1 WHERE 42 = :id")
                    .bindBean(ORDER)
                    .mapTo(Long.class)
                    .findOne();
        });
    }

    /** <a href="https://github.com/spring-projects/spring-batch/issues/2122">Parameters of any type</a>. */
    @Row(
            library = "spring-batch",
            what = "a job's parameter, converted to a string",
            outcome = "loud",
            meaning = "`ConverterNotFoundException` names the class; give the converter a `ConversionService`",
            match = "from type .io.github.leafmint.OrderId. to type .java.lang.String.")
    void batch() {
        var parameters = new JobParametersBuilder()
                .addJobParameter("id", ORDER.id, OrderId.class)
                .toJobParameters();
        new DefaultJobParametersConverter().getProperties(parameters);
    }

    @Row(library = "spring-batch", what = "an `ExecutionContext`", outcome = "right", meaning = "the id comes back")
    void batchContext() throws Exception {
        for (var serializer : List.of(
                new DefaultExecutionContextSerializer(),
                new Jackson2ExecutionContextStringSerializer(OrderId.class.getName()))) {
            var bytes = new ByteArrayOutputStream();
            serializer.serialize(new HashMap<>(Map.of("id", ORDER.id)), bytes);
            assertEquals(Map.of("id", ORDER.id), serializer.deserialize(new ByteArrayInputStream(bytes.toByteArray())));
        }
    }

    /**
     * <a href="https://github.com/smallrye/smallrye-open-api/issues/1466">Value objects that OpenAPI has as
     * objects</a>.
     */
    @Row(
            library = "swagger-core",
            what = "a schema of OpenAPI, without the starter's converter",
            outcome = "right",
            meaning = "a string, without pattern and example")
    void swagger() {
        var schemas = ModelConverters.getInstance().readAll(Order.class);
        assertEquals(Set.of("Order"), schemas.keySet());
        var properties = schemas.get("Order").getProperties();
        assertEquals("string", ((Schema<?>) properties.get("id")).getType());
        assertEquals("string", ((Schema<?>) properties.get("others")).getItems().getType());
    }

    static class OrderPages {
        @GetMapping("/orders/{id}")
        public Object one(@PathVariable("id") OrderId id, @RequestParam("of") OrderId of) {
            return id;
        }
    }

    /** <a href="https://github.com/spring-projects/spring-hateoas/issues/118">Values in links need converters</a>. */
    @Row(library = "spring-hateoas", what = "`linkTo`, `expand`", outcome = "right", meaning = "the text")
    void links() {
        String link = "/orders/" + ORDER.id + "?of=" + ORDER.id;
        assertEquals(
                link,
                WebMvcLinkBuilder.linkTo(
                                WebMvcLinkBuilder.methodOn(OrderPages.class).one(ORDER.id, ORDER.id))
                        .toUri()
                        .toString());
        assertEquals(
                link, Link.of("/orders/{id}{?of}").expand(ORDER.id, ORDER.id).getHref());
    }

    /** Returns what maps of Hazelcast have of keys, which are values, too. */
    private static List<Object> cached(CompactSerializationConfig compact, Object... values) {
        var config = new Config();
        Map.of("hazelcast.phone.home.enabled", "false", "hazelcast.logging.type", "none")
                .forEach(config::setProperty);
        config.getSerializationConfig().setCompactSerializationConfig(compact);
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig()
                .setPublicAddress("127.0.0.1")
                .getInterfaces()
                .setEnabled(true)
                .addInterface("127.0.0.1");
        var member = Hazelcast.newHazelcastInstance(config);
        try {
            var map = member.getMap("orders");
            Stream.of(values).forEach(value -> map.put(value, value));
            return Stream.of(values).map(map::get).toList();
        } finally {
            member.shutdown();
        }
    }

    @Row(library = "hazelcast", what = "serialisable keys and values", outcome = "right", meaning = "the id comes back")
    void hazelcast() {
        assertEquals(List.of(ORDER.id, ORDER), cached(new CompactSerializationConfig(), ORDER.id, ORDER));
    }

    /** <a href="https://github.com/hazelcast/hazelcast/issues/23698">Objects with UUIDs in compact form</a>. */
    @Row(
            library = "hazelcast",
            what = "compact form of records that hold ids",
            outcome = "loud",
            meaning = "`HazelcastSerializationException` names the class; add it to the configuration",
            match = "class io.github.leafmint.OrderId' cannot be serialized")
    void hazelcastCompact() {
        cached(new CompactSerializationConfig(), new Opened(ORDER.id));
    }

    @Row(
            library = "hazelcast",
            what = "compact form, `addClass(OrderId.class)`",
            outcome = "right",
            meaning = "the id comes back")
    void hazelcastOfClass() {
        var compact = new CompactSerializationConfig().addClass(OrderId.class);
        var opened = new Opened(ORDER.id);
        assertEquals(List.of(ORDER.id, opened), cached(compact, ORDER.id, opened));
    }
}
