package io.github.leafmint.spring.boot;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.PublicKeys;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Reads the keys of public ids that the properties have, else those of leafmint's own environment variables. */
final class ConfiguredKeys implements Supplier<PublicKeys> {
    private final LeafmintProperties.PublicIds properties;
    private final Environment environment;

    ConfiguredKeys(LeafmintProperties.PublicIds properties, Environment environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /** Returns whether a property is set. */
    boolean arePresent() {
        return !properties.keys().isEmpty() || properties.keysFile() != null;
    }

    @Override
    public PublicKeys get() {
        if (!properties.keys().isEmpty() && properties.keysFile() != null) {
            throw new InvalidConfigException("keys and keys-file are both set: leave one out");
        }
        if (arePresent()) {
            return properties.keysFile() == null
                    ? PublicKeys.of(properties.keys().toArray(new String[0]))
                    : PublicKeys.fromFile(Path.of(properties.keysFile()));
        }
        return ofEnvironment();
    }

    private PublicKeys ofEnvironment() {
        String keys = environment.getProperty("LEAFMINT_PUBLIC_KEYS");
        if (StringUtils.hasText(keys)) {
            return PublicKeys.parse(keys);
        }
        String file = environment.getProperty("LEAFMINT_PUBLIC_KEYS_FILE");
        if (StringUtils.hasText(file)) {
            return PublicKeys.fromFile(Path.of(file));
        }
        throw new InvalidConfigException("ids of this form need keys, and none are configured: "
                + LeafmintFailureAnalyzer.PUBLIC_KEYS + "; `leafmint public keys new` makes a key");
    }
}
