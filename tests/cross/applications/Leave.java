import io.github.leafmint.Tag;
import io.github.leafmint.ClosedException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.util.List;

/** Leaves generators of both modes open at the end of main, as leave.py: {@code Leave SEGMENTS SNOWFLAKES WORK}. */
public final class Leave {
    public static void main(String[] arguments) throws Exception {
        Tag order = SegmentGenerator.open(arguments[0]).tag("order");
        var flakes = SnowflakeGenerator.open(arguments[1]);
        order.nextId();
        flakes.nextId();
        System.out.println("ready");
        System.in.read();
        List<Runnable> work =
                switch (arguments[2]) {
                    case "mint" ->
                        List.of(
                                () -> order.nextIds(5000),
                                () -> flakes.nextIds(5000),
                                () -> order.nextIds(5000),
                                () -> flakes.nextIds(5000));
                    // More than any store has in hand: the refill is in flight, and a thread waits for it.
                    case "wait" -> List.of(() -> order.nextRange(5000));
                    default -> List.of();
                };
        for (Runnable take : work) {
            var thread = new Thread(() -> forEver(take));
            thread.setDaemon(true);
            thread.start();
        }
        Thread.sleep(work.isEmpty() ? 0 : 400);
        System.out.println(System.currentTimeMillis() / 1e3);
    }

    private static void forEver(Runnable take) {
        try {
            while (true) {
                take.run();
            }
        } catch (ClosedException ended) {
            // What the end of the process brings.
        }
    }
}
