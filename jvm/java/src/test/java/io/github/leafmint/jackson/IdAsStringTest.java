package io.github.leafmint.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.github.leafmint.Layout;
import io.github.leafmint.LongRange;
import io.github.leafmint.NumberParts;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.audit.AuditFinding;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.audit.FindingKind;
import io.github.leafmint.audit.KeyUse;
import io.github.leafmint.audit.Severity;
import io.github.leafmint.internal.results.Results;
import io.github.leafmint.sharding.ShardRule;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

class IdAsStringTest {
    private static final long SNOWFLAKE = 2124282942359339095L;

    /** Both generations, which read the same annotations. */
    enum Jackson {
        TWO {
            private final ObjectMapper mapper =
                    new ObjectMapper().registerModule(new JavaTimeModule()).registerModule(new Jdk8Module());

            @Override
            String write(Object value) throws IOException {
                return mapper.writeValueAsString(value);
            }

            @Override
            <T> T read(String json, Class<T> type) throws IOException {
                return mapper.readValue(json, type);
            }
        },
        THREE {
            private final JsonMapper mapper = new JsonMapper();

            @Override
            String write(Object value) {
                return mapper.writeValueAsString(value);
            }

            @Override
            <T> T read(String json, Class<T> type) {
                return mapper.readValue(json, type);
            }
        };

        abstract String write(Object value) throws IOException;

        abstract <T> T read(String json, Class<T> type) throws IOException;
    }

    record OrderView(@IdAsString long id, String item) {}

    static class OrderBean {
        @IdAsString
        public Long id = SNOWFLAKE;

        private long parent = SNOWFLAKE;

        @IdAsString
        public long getParent() {
            return parent;
        }

        public void setParent(long parent) {
            this.parent = parent;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIdBecomesAStringAndComesBack(Jackson jackson) throws IOException {
        var order = new OrderView(SNOWFLAKE, "tea");
        String json = jackson.write(order);
        assertEquals("{\"id\":\"2124282942359339095\",\"item\":\"tea\"}", json);
        assertEquals(order, jackson.read(json, OrderView.class));
        assertEquals(order, jackson.read("{\"id\":2124282942359339095,\"item\":\"tea\"}", OrderView.class));
    }

    @ParameterizedTest
    @EnumSource
    void fieldsAndGettersOfABeanBecomeStrings(Jackson jackson) throws IOException {
        String json = jackson.write(new OrderBean());
        assertTrue(json.contains("\"id\":\"2124282942359339095\""), json);
        assertTrue(json.contains("\"parent\":\"2124282942359339095\""), json);
        assertEquals(SNOWFLAKE, jackson.read(json, OrderBean.class).getParent());
    }

    @ParameterizedTest
    @EnumSource
    void theIdsOfLeafmintsOwnRecordsAreStrings(Jackson jackson) throws IOException {
        var decoded = Layout.of("leaf").decode(SNOWFLAKE);
        var sharded = ShardRule.of("10", 1024).parse("1017696496718608220161023");
        try (var ids = SegmentGenerator.open("memory://" + UUID.randomUUID())) {
            ids.createTag("order").start(SNOWFLAKE).create();
            String tag = jackson.write(ids.listTags());
            assertTrue(tag.contains("\"maxId\":\"2124282942359339095\",\"step\":1000"), tag);
            LongRange one = ids.tag("order").nextRange(1);
            assertEquals("{\"start\":\"2124282942359339095\",\"end\":\"2124282942359339096\"}", jackson.write(one));
        }
        var parts = NumberParts.of(SNOWFLAKE);
        String all = jackson.write(List.of(decoded, sharded, parts));
        assertTrue(all.contains("\"id\":\"2124282942359339095\""), all);
        assertTrue(all.contains("\"workerId\":" + decoded.workerId()), all);
        assertTrue(all.contains("\"sequence\":\"" + sharded.sequence() + "\""), all);
        assertTrue(all.contains("\"number\":\"2124282942359339095\""), all);
    }

    record Ids(
            @IdAsString long[] array,
            @IdAsString AtomicLong atomic,
            @IdAsString OptionalLong optional,
            @IdAsString OptionalLong none,
            @IdAsString List<List<Long>> lists,
            @IdAsString Object any) {}

    record Hidden(@IdAsString Map<String, long[]> ids) {}

    @ParameterizedTest
    @EnumSource
    void theIdsOfEachTypeAreStrings(Jackson jackson) throws IOException {
        var one = new long[] {SNOWFLAKE};
        var optional = OptionalLong.of(SNOWFLAKE);
        var ids = new Ids(
                one, new AtomicLong(SNOWFLAKE), optional, OptionalLong.empty(), List.of(List.of(SNOWFLAKE)), SNOWFLAKE);
        String json = jackson.write(ids);
        String text = "\"2124282942359339095\"";
        assertEquals(
                "{'array':[#],'atomic':#,'optional':#,'none':null,'lists':[[#]],'any':#}"
                        .replace('\'', '"')
                        .replace("#", text),
                json);
        Ids read = jackson.read(json, Ids.class);
        assertEquals(SNOWFLAKE, read.array()[0]);
        assertEquals(SNOWFLAKE, read.atomic().get());
        assertEquals(optional, read.optional());
    }

    @ParameterizedTest
    @EnumSource
    void idsThatItDoesNotReachAreRefused(Jackson jackson) {
        var hidden = new Hidden(Map.of("order", new long[] {SNOWFLAKE}));
        var refused = assertThrows(Exception.class, () -> jackson.write(hidden));
        assertTrue(refused.getMessage().contains("@IdAsString does not reach the ids in"), refused.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void anAuditReportComesBackForALaterAudit(Jackson jackson) throws IOException {
        var used = BigInteger.valueOf(SNOWFLAKE);
        KeyUse key = new Results.KeyUse("orders", "id", "bigint", used, BigInteger.TWO.pow(64), Duration.ofHours(300));
        AuditFinding finding = new Results.AuditFinding(
                FindingKind.RUNS_OUT, Severity.PROBLEM, "orders", "id", used, BigInteger.TWO.pow(64), "it runs out");
        var report = new Results.AuditReport("shop", Instant.EPOCH, List.of(key), List.of(finding), List.of("secrets"));
        String json = jackson.write(report);
        assertTrue(json.contains("\"largest\":\"18446744073709551616\""), json);
        assertEquals(report, jackson.read(json, AuditReport.class));
    }

    /** Kotlin would put it on the parameter alone, where Jackson sees it only with its module for Kotlin. */
    @Test
    void inAConstructorOfKotlinItIsAnAnnotationOfTheField() {
        Target target = IdAsString.class.getAnnotation(Target.class);
        assertEquals(Set.of(ElementType.FIELD, ElementType.METHOD), Set.of(target.value()));
    }
}
