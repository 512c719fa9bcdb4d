package start;

import io.github.leafmint.SegmentGenerator;

/** Takes one id of a tag. */
final class FirstSegment {
    private FirstSegment() {}

    public static void main(String[] arguments) {
        try (var generator = SegmentGenerator.open(arguments[0])) {
            generator.tag("start").nextId();
        }
    }
}
