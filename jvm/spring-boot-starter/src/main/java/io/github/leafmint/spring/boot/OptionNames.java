package io.github.leafmint.spring.boot;

import io.github.leafmint.Leafmint;
import io.github.leafmint.OptionSpec;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.env.Environment;

/** Replaces the names of options in a message by those of the properties that set them. */
final class OptionNames {
    private final Environment environment;
    private final String prefix;

    OptionNames(Environment environment, String prefix) {
        this.environment = environment;
        this.prefix = prefix;
    }

    String asProperties(String message) {
        List<OptionSpec> options = prefix.endsWith("snowflake") ? Leafmint.snowflakeOptions() : Leafmint.options();
        String renamed = message;
        for (OptionSpec option : options) {
            renamed = rename(option.name(), renamed);
        }
        return renamed;
    }

    private String rename(String option, String message) {
        String property = prefix + "." + option.replace('_', '-');
        // An option of the URL keeps its name.
        if (!environment.containsProperty(property)) {
            return message;
        }
        // Many options are plain words: only a name that a value or a problem follows is meant.
        Pattern name = Pattern.compile("(?<![\\w.-])" + option + (option.contains("_") ? "\\b" : "(?=[=:])"));
        return name.matcher(message).replaceAll(Matcher.quoteReplacement(property));
    }
}
