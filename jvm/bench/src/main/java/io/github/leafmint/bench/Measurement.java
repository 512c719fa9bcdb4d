package io.github.leafmint.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What was measured of one subject, one value per round; {@code bench/run.py} reads it.
 *
 * @param group what it is compared in
 * @param threads the number of threads
 * @param name the subject
 * @param role {@code floor}, {@code leafmint} or {@code peer}
 * @param unit the unit of the values
 * @param how the configuration of the subject
 * @param rounds the values
 */
record Measurement(String group, int threads, String name, String role, String unit, String how, List<Double> rounds) {
    /** Returns one line of JSON. No text here has a quotation mark in it. */
    String json() {
        String values = rounds.stream()
                .map(value -> String.format(Locale.ROOT, "%.5g", value))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "{\"group\": \"%s\", \"threads\": %d, \"name\": \"%s\", \"role\": \"%s\", \"unit\": \"%s\", "
                        + "\"how\": \"%s\", \"rounds\": [%s]}",
                group,
                threads,
                name,
                role,
                unit,
                how,
                values);
    }
}
