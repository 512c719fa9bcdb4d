import io.github.leafmint.Tag;
import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.Leafmint;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.sharding.ShardRule;
import io.github.leafmint.SnowflakeGenerator;
import java.time.Duration;
import java.time.Instant;

/** Calls what answers with objects or throws, and leaves a generator to the shutdown hook. */
class Lookups {
    public static void main(String[] arguments) {
        String folder = arguments[0];
        SegmentGenerator ids = SegmentGenerator.open("sqlite:///" + folder + "/ids.db");
        Tag order = ids.tag("order");
        order.nextIdAsync().join();
        order.nextIds(5000);
        order.nextRange(5000);
        order.nextIdsAsync(5000).join();
        order.stats();
        ids.stats();
        ids.listTags();
        ids.check();
        ids.createTag("line").step(1).start(100).description("lines").create();
        ids.raiseTagAbove("line", 499);
        try (SnowflakeGenerator flakes = SnowflakeGenerator.open("local:" + folder)) {
            flakes.decode(flakes.nextIdAsync().join());
            flakes.nextIds(5000);
            flakes.layout().compose(Instant.now()).id();
            flakes.stats();
            flakes.check();
            flakes.listWorkers();
        }
        Leafmint.segmentOptions();
        Leafmint.schemaSql("mysql");
        ShardRule rule = ShardRule.of("10", 4);
        rule.parse(rule.mint(order, "buyer"));
        fails(() -> ids.tag(""));
        fails(() -> SegmentGenerator.open("no://url"));
        fails(() -> order.nextId(Duration.ofSeconds(-1)));
        CredentialsSupplier none = () -> {
            throw new IllegalStateException("no credentials");
        };
        fails(() -> SegmentGenerator.builder("mysql://127.0.0.1:1/none").credentials(none).eager(true).open());
        // With a cause: nothing listens there.
        fails(() -> SegmentGenerator.builder("mysql://127.0.0.1:1/none")
                .timeout(Duration.ofMillis(100))
                .eager(true)
                .open());
        System.out.println("done");
    }

    private static void fails(Runnable call) {
        try {
            call.run();
            throw new AssertionError("no exception");
        } catch (LeafmintException expected) {
            System.out.println(expected.code());
        }
    }
}
