package ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.ids.TypedIds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** A server whose answers have ids without keys would fail after it has stored the first row. */
@Timeout(120)
class MissingKeysTest {
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void aServerDoesNotStart(String kind) {
        assertThatThrownBy(() -> Application.start("spring.main.web-application-type=" + kind))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageMatching("ids[.].+Id: ids of this form need keys, and none are configured: .*")
                .hasMessageContaining("leafmint.id-keys");
    }

    @Test
    void aTestWithoutAServerStarts() {
        new WebApplicationContextRunner()
                .withUserConfiguration(Shop.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(TypedIds.class));
    }
}
