package io.github.leafmint.spring.boot;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.ids.IdKeys;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Reads the keys of public ids that the properties have. */
final class ConfiguredKeys implements Supplier<IdKeys> {
    private final LeafmintProperties properties;

    ConfiguredKeys(LeafmintProperties properties) {
        this.properties = properties;
    }

    /** Returns whether a property is set. */
    boolean arePresent() {
        return !properties.idKeys().isEmpty() || properties.idKeysFile() != null;
    }

    @Override
    public IdKeys get() {
        if (!arePresent()) {
            throw new InvalidConfigException("ids of this form need keys, and none are configured: "
                    + LeafmintFailureAnalyzer.ID_KEYS + "; `leafmint id-keys new` makes a key");
        }
        if (properties.idKeysFile() == null) {
            return IdKeys.of(properties.idKeys().toArray(new String[0]));
        }
        if (properties.idKeys().isEmpty()) {
            return IdKeys.fromFile(Path.of(properties.idKeysFile()));
        }
        throw new InvalidConfigException("id-keys and id-keys-file are both set: leave one out");
    }
}
