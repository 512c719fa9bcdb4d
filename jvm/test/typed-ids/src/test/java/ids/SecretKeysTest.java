package ids;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No endpoint shows a key, also if the endpoints show values. */
@Timeout(120)
class SecretKeysTest {
    private static final String[] OPEN = {
        "spring.main.web-application-type=servlet",
        "management.endpoints.web.exposure.include=*",
        "management.endpoint.env.show-values=always",
        "management.endpoint.configprops.show-values=always",
    };

    private static final String USED =
            "leafmint.id-keys=lmk0_" + "ffeeddccbbaa99887766554433221100fedcba9876543210fedcba9876543210";

    @Test
    void noEndpointShowsAKey() throws Exception {
        String key = "lmk0_" + Application.SECRET;
        for (String property : List.of(
                "leafmint.id-keys=" + key,
                "leafmint.idKeys[0]=" + key,
                "LEAFMINT_IDKEYS_0=" + key,
                "LEAFMINT_ID_KEYS=" + key,
                "spring.application.json={\"leafmint.id-keys\": \"" + key + "\"}",
                "some.other.name=" + key.toUpperCase())) {
            try (var shop = Application.start(with(USED, property))) {
                var paths = List.of("env", "configprops", "beans", "conditions", "env/leafmint.id-keys");
                for (String path : paths) {
                    String body = shop.get("/actuator/" + path).body();
                    assertThat(body.toLowerCase()).as(property + " " + path).doesNotContain("ccddeeff01");
                }
                assertThat(shop.get("/actuator/env").body()).contains("server.port", "******");
                assertThat(shop.get("/actuator/configprops").body()).contains("idKeys");
            }
        }
    }

    private static String[] with(String... properties) {
        var all = new ArrayList<>(List.of(OPEN));
        all.addAll(List.of(properties));
        return all.toArray(String[]::new);
    }

    @Test
    void thePathOfTheFileIsNoSecret(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("keys"), "lmk0_" + Application.SECRET);
        try (var shop = Application.start(with("leafmint.id-keys-file=" + file))) {
            assertThat(shop.get("/actuator/env").body()).contains(file.toString());
            assertThat(shop.get("/actuator/configprops").body()).contains(file.toString());
        }
    }
}
