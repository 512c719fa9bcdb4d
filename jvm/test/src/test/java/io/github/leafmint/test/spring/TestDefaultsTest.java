package io.github.leafmint.test.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.UnknownTagException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Where the ids of a context come from, as its test says. */
@Timeout(60)
class TestDefaultsTest {
    /** What the tests below look at. */
    abstract static class ShopTest {
        @Autowired
        ConfigurableApplicationContext context;

        @Autowired
        SegmentGenerator ids;

        @Autowired
        ObjectProvider<SnowflakeGenerator> flakes;
    }

    @SpringBootTest(classes = Shop.class)
    static class Silent extends ShopTest {}

    @SpringBootTest(classes = Shop.class)
    static class AlsoSilent extends ShopTest {}

    @SpringBootTest(classes = Shop.class, properties = "leafmint.segment.url=memory://inlined")
    static class Inlined extends ShopTest {}

    @SpringBootTest(
            classes = Shop.class,
            properties = {"leafmint.segment.url=memory://inlined", "leafmint.test.in-memory=always"})
    static class InlinedAndAlways extends ShopTest {}

    @SpringBootTest(classes = Shop.class, properties = "leafmint.test.in-memory=never")
    @TestPropertySource(properties = "leafmint.segment.url=memory://property-source")
    static class NeverWithAUrl extends ShopTest {}

    @SpringBootTest(classes = Shop.class)
    static class Dynamic extends ShopTest {
        @DynamicPropertySource
        static void properties(DynamicPropertyRegistry registry) {
            registry.add("leafmint.segment.url", () -> "memory://dynamic");
        }
    }

    @SpringBootTest(classes = Shop.class, properties = "spring.config.name=with-urls")
    static class OfAFile extends ShopTest {}

    @SpringBootTest(
            classes = Shop.class,
            properties = {"spring.config.name=with-urls", "leafmint.test.in-memory=always"})
    static class OfAFileButAlways extends ShopTest {}

    @SpringBootTest(classes = Shop.class, properties = "spring.config.name=without-auto-create")
    static class OfAFileThatCreatesNoTag extends ShopTest {}

    @SpringBootTest(classes = Shop.class, properties = "leafmint.segment.auto-create=false")
    static class CreatesNoTag extends ShopTest {}

    @SpringBootTest(classes = Shop.class, properties = "leafmint.segment.username=app")
    static class WithAnAccount extends ShopTest {}

    @SpringBootTest(classes = Shop.class, properties = "spring.autoconfigure.exclude=")
    static class WithADataSource extends ShopTest {
        @Autowired
        DataSource source;
    }

    @SpringBootTest(classes = Shop.class, properties = "leafmint.test.in-memory=perhaps")
    static class Misspelt extends ShopTest {}

    @Test
    void aContextMintsFromAStoreOfItsOwnInMemory() throws Exception {
        var silent = prepared(new Silent());
        assertTrue(silent.ids.scope().contains("leafmint-test-"), silent.ids::scope);
        assertSame(silent.context, prepared(new AlsoSilent()).context, "the defaults do not split Spring's cache");
        var inlined = prepared(new Inlined());
        assertNotEquals(silent.context, inlined.context);
    }

    @Test
    void snowflakesAreNotSwitchedOn() throws Exception {
        assertEquals(0, prepared(new Silent()).flakes.stream().count());
    }

    @Test
    void whatATestSetsCounts() throws Exception {
        assertScope("inlined", new Inlined());
        assertScope("inlined", new InlinedAndAlways());
        assertScope("property-source", new NeverWithAUrl());
        assertScope("dynamic", new Dynamic());
    }

    @Test
    void aUrlInAFileOfTheApplicationCountsUnlessMemoryIsAskedForAlways() throws Exception {
        var ofAFile = prepared(new OfAFile());
        assertScope("of-a-file", ofAFile);
        assertTrue(ofAFile.flakes.getObject().scope().startsWith("fixed:"), ofAFile.flakes.getObject()::scope);
        var always = prepared(new OfAFileButAlways());
        assertScope("leafmint-test-", always);
        assertTrue(always.flakes.getObject().scope().contains("leafmint-test-"), always.flakes.getObject()::scope);
    }

    @Test
    void theDataSourceOfATestIsNotAskedForIds() throws Exception {
        var test = prepared(new WithADataSource());
        try (var connection = test.source.getConnection()) {
            assertTrue(connection.getMetaData().getURL().startsWith("jdbc:h2:mem:"));
        }
        assertScope("leafmint-test-", test);
    }

    @Test
    void theAccountOfADatabaseDoesNotDisturb() throws Exception {
        assertEquals(1, prepared(new WithAnAccount()).ids.tag("order").nextId());
    }

    @Test
    void aValueThatDoesNotExistIsNamed() {
        Throwable failure = assertThrows(IllegalStateException.class, () -> prepared(new Misspelt()));
        while (failure.getCause() != null) {
            failure = failure.getCause();
        }
        assertEquals("leafmint.test.in-memory=perhaps is not unset, always or never", failure.getMessage());
    }

    @Test
    void aContextThatIsMadeAnewMintsFrom1Again() throws Exception {
        for (int context = 0; context < 3; context++) {
            var manager = new TestContextManager(Dirty.class);
            var test = new Dirty();
            manager.prepareTestInstance(test);
            manager.beforeTestMethod(test, Dirty.class.getDeclaredMethod("mint"));
            test.mint();
            manager.afterTestMethod(test, Dirty.class.getDeclaredMethod("mint"), null);
        }
    }

    @SpringBootTest(classes = Shop.class, properties = "dirty=true")
    static class Dirty extends ShopTest {
        @Autowired
        Shop.Orders orders;

        @DirtiesContext
        void mint() {
            assertEquals(1, orders.open());
        }
    }

    @SpringJUnitConfig(WithoutBoot.Nothing.class)
    static class WithoutBoot {
        @Configuration
        static class Nothing {}

        @Autowired
        ConfigurableApplicationContext context;
    }

    @Test
    void tagsAreCreatedInMemoryUnlessTheTestSaysOtherwise() throws Exception {
        assertEquals(1, prepared(new OfAFileThatCreatesNoTag()).ids.tag("order").nextId());
        SegmentGenerator ids = prepared(new CreatesNoTag()).ids;
        assertThrows(UnknownTagException.class, () -> ids.tag("order").nextId());
    }

    @Test
    void aContextWithoutSpringBootStartsToo() throws Exception {
        var test = new WithoutBoot();
        new TestContextManager(WithoutBoot.class).prepareTestInstance(test);
        String url = test.context.getEnvironment().getProperty("leafmint.segment.url");
        assertTrue(url.startsWith("memory://leafmint-test-"), url);
    }

    private static <T extends ShopTest> T prepared(T test) throws Exception {
        new TestContextManager(test.getClass()).prepareTestInstance(test);
        return test;
    }

    private static void assertScope(String part, ShopTest test) throws Exception {
        String scope = (test.ids == null ? prepared(test) : test).ids.scope();
        assertTrue(scope.contains(part), scope);
    }
}
