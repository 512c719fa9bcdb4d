import io.github.leafmint.Tag;
import io.github.leafmint.SegmentGenerator;

/** Prints ids of a tag until it is killed: {@code PrintIds URL TAG}. */
public final class PrintIds {
    public static void main(String[] arguments) {
        try (SegmentGenerator ids = SegmentGenerator.open(arguments[0])) {
            Tag tag = ids.tag(arguments[1]);
            while (!System.out.checkError()) {
                System.out.println(tag.nextId());
            }
        }
    }
}
