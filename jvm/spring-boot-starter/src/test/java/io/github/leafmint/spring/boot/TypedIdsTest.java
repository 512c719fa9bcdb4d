package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.IdKeys;
import io.github.leafmint.ids.PublicIds;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import io.github.leafmint.spring.boot.typedid.LeafmintTypedIdFormsAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@ExtendWith(OutputCaptureExtension.class)
@SuppressWarnings("serial")
class TypedIdsTest {
    private static final String SECRET = "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    private static final String KEY = "lmk0_" + SECRET;
    private static final String NEW_KEY = "lmk1_6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819";
    private static final OrderId ORDER = new OrderId(42);

    private final ApplicationContextRunner shop = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LeafmintTypedIdsAutoConfiguration.class,
                    LeafmintTypedIdFormsAutoConfiguration.class,
                    JacksonAutoConfiguration.class));

    private static String text(String key) {
        return PublicIds.of("order", IdKeys.of(key)).encode(ORDER.value());
    }

    @TempDir
    private Path directory;

    @Test
    void thePropertiesHaveTheKeysAndTheFirstEncodes() {
        for (String keys : new String[] {NEW_KEY + "," + KEY, NEW_KEY + "\n" + KEY}) {
            shop.withPropertyValues("leafmint.id-keys=" + keys).run(context -> {
                TypedIds ids = context.getBean(TypedIds.class);
                assertThat(ids.text(ORDER)).isEqualTo(text(NEW_KEY));
                assertThat(ids.parse(OrderId.class, text(KEY))).isEqualTo(ORDER);
            });
        }
        shop.withPropertyValues("leafmint.id-keys[0]=" + NEW_KEY, "leafmint.id-keys[1]=" + KEY)
                .run(context ->
                        assertThat(context.getBean(TypedIds.class).text(ORDER)).isEqualTo(text(NEW_KEY)));
    }

    @Test
    void aClassOfIdsMintsFromTheApplicationsGenerators() {
        shop.withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
                .withPropertyValues("leafmint.segment.url=memory:", "leafmint.snowflake.url=local:" + directory)
                .run(context -> {
                    assertThat(TypedId.next(TicketId.class)).isEqualTo(new TicketId(1));
                    assertThat(context.getBean(SegmentGenerator.class)
                                    .tag("ticket")
                                    .nextId())
                            .isEqualTo(2);
                    assertThat(context.getBean(TypedIds.class)
                                    .next(EventId.class)
                                    .value())
                            .isGreaterThan(1L << 53);
                });
    }

    @IdForm(form = IdForm.Form.DECIMAL, tag = "ticket")
    static final class TicketId extends TypedId {
        public TicketId(long value) {
            super(value);
        }
    }

    @IdForm(form = IdForm.Form.DECIMAL, snowflake = true)
    static final class EventId extends TypedId {
        public EventId(long value) {
            super(value);
        }
    }

    @Test
    void aFileOrTheUsualVariablesHaveTheKeys() throws Exception {
        Path file = Files.writeString(directory.resolve("keys"), "# since today\n" + KEY + "\n");
        shop.withPropertyValues("leafmint.id-keys-file=" + file, "leafmint.id-keys=")
                .run(context ->
                        assertThat(context.getBean(TypedIds.class).text(ORDER)).isEqualTo(text(KEY)));
        for (Map<String, Object> variable : List.<Map<String, Object>>of(
                Map.of("LEAFMINT_ID_KEYS", KEY), Map.of("LEAFMINT_ID_KEYS_FILE", file.toString()))) {
            var variables = new SystemEnvironmentPropertySource("shop-systemEnvironment", variable);
            shop.withInitializer(context ->
                            context.getEnvironment().getPropertySources().addFirst(variables))
                    .run(context -> assertThat(context.getBean(TypedIds.class).text(ORDER))
                            .isEqualTo(text(KEY)));
        }
    }

    @Test
    void anIdShowsItsTextWhileTheContextIsOpen() {
        shop.withPropertyValues("leafmint.id-keys=" + KEY, "spring.main.lazy-initialization=true")
                .run(context -> {
                    assertThat(ORDER).hasToString(text(KEY));
                    shop.withPropertyValues("leafmint.id-keys=" + NEW_KEY)
                            .run(other -> assertThat(ORDER).hasToString(text(NEW_KEY)));
                });
        assertThat(TypedIds.getDefault()).isSameAs(TypedIds.ofEnvironment());
    }

    @Test
    void anIdShowsItsTextWhileAnyContextIsOpen() {
        shop.withPropertyValues("leafmint.id-keys=" + KEY).run(first -> {
            shop.withPropertyValues("leafmint.id-keys=" + NEW_KEY).run(second -> {
                shop.withParent(second).run(child -> assertThat(ORDER).hasToString(text(NEW_KEY)));
                assertThat(ORDER).hasToString(text(NEW_KEY));
                first.close();
                assertThat(ORDER).hasToString(text(NEW_KEY));
            });
            assertThat(TypedIds.getDefault()).isSameAs(TypedIds.ofEnvironment());
        });
        shop.withPropertyValues("leafmint.id-keys=" + KEY).run(first -> {
            shop.withPropertyValues("leafmint.id-keys=" + NEW_KEY).run(second -> {});
            assertThat(ORDER).hasToString(text(KEY));
        });
        assertThat(TypedIds.getDefault()).isSameAs(TypedIds.ofEnvironment());
    }

    @Test
    void jsonHasTheText() {
        shop.withPropertyValues("leafmint.id-keys=" + KEY)
                .run(context -> assertThat(context.getBean(ObjectMapper.class).writeValueAsString(ORDER))
                        .isEqualTo('"' + text(KEY) + '"'));
    }

    @Test
    void withoutJacksonThereIsNoModule() {
        shop.withClassLoader(new FilteredClassLoader("com.fasterxml.jackson")).run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(TypedIds.class)
                .doesNotHaveBean("leafmintJackson2Module"));
    }

    @Test
    void missingKeysFailAtTheFirstUseAndNameTheProperty() {
        shop.withPropertyValues("LEAFMINT_ID_KEYS=", "LEAFMINT_ID_KEYS_FILE=").run(context -> {
            assertThat(context).hasNotFailed();
            TypedIds ids = context.getBean(TypedIds.class);
            assertThatThrownBy(() -> ids.text(ORDER))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageStartingWith(OrderId.class.getName() + ": ids of this form need keys")
                    .hasMessageContaining("set leafmint.id-keys or leafmint.id-keys-file");
            assertThat(ORDER).hasToString("OrderId(invalid_config)");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {SECRET, "lmk7_" + SECRET, KEY + "," + KEY, KEY + "zz", "lmk0_0011"})
    void wrongKeysStopTheStartAndAreNotShown(String keys, CapturedOutput output) {
        start("--leafmint.id-keys=" + keys);
        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .contains("leafmint.id-keys: the keys of public ids")
                .contains("Correct the properties that begin with leafmint.id-keys.")
                .doesNotContain("0011")
                .doesNotContain("ccddeeff");
    }

    @Test
    void aGapInTheListIsReportedWithoutTheKeys(CapturedOutput output) {
        start("--leafmint.id-keys[0]=" + KEY, "--leafmint.id-keys[2]=" + NEW_KEY);
        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .contains("leafmint.id-keys[2]")
                .contains("from 0 on, without a gap")
                .doesNotContain("6a1d1c1f");
    }

    @Test
    void twoPlacesOfKeysStopTheStart(CapturedOutput output) {
        start("--leafmint.id-keys=" + KEY, "--leafmint.id-keys-file=/run/secrets/keys");
        assertThat(output).contains("id-keys and id-keys-file are both set").contains("Correct the properties");
    }

    @Test
    void aBeanThatNeedsMissingKeysAtTheStartIsToldWhichPropertyToSet(CapturedOutput output) {
        start("--order=42");
        assertThat(output)
                .contains("ids of this form need keys, and none are configured")
                .contains("Set leafmint.id-keys or leafmint.id-keys-file.")
                .doesNotContain("leafmint.segment");
    }

    private static void start(String... properties) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Shop.class)
                        .web(WebApplicationType.NONE)
                        .run(properties))
                .isInstanceOf(Exception.class);
    }

    @Test
    void aBeanOfTheApplicationTakesPrecedence() {
        TypedIds own = TypedIds.of(IdKeys.of(KEY));
        shop.withBean(TypedIds.class, () -> own)
                .run(context -> assertThat(context.getBean(TypedIds.class)).isSameAs(own));
    }

    @Test
    void thePropertiesDoNotShowTheKeys() {
        shop.withPropertyValues("leafmint.id-keys=" + KEY).run(context -> assertThat(
                        context.getBean(LeafmintProperties.class).toString())
                .doesNotContain(SECRET)
                .contains("leafmint.*"));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeafmintTypedIdsAutoConfiguration.class)
    static class Shop {
        @Bean
        String first(TypedIds ids) {
            return ids.text(ORDER);
        }
    }
}
