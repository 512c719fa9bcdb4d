import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.SeriesPeriod;
import java.io.FileWriter;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;

/** Does what take_numbers.py does. */
public final class TakeNumbers {
    public static void main(String[] arguments) throws Exception {
        try (SegmentGenerator ids = SegmentGenerator.open(arguments[0]);
                PrintWriter out = new PrintWriter(new FileWriter(arguments[1]), true)) {
            Map<ZoneId, Series> all = new LinkedHashMap<>();
            for (int at = 2; at < arguments.length; at++) {
                ZoneId zone = ZoneId.of(arguments[at]);
                String name = arguments[at].replace('/', '-');
                all.put(zone, ids.series(name).period(SeriesPeriod.DAY).zone(zone).open());
            }
            System.out.println("ready");
            while (System.in.available() == 0) {
                for (Map.Entry<ZoneId, Series> series : all.entrySet()) {
                    LocalDate before = LocalDate.now(series.getKey());
                    SeriesNumber number;
                    try {
                        number = series.getValue().next();
                    } catch (InvalidConfigException refused) {
                        continue;
                    }
                    LocalDate after = LocalDate.now(series.getKey());
                    String taken = series.getKey() + " " + number.group() + " " + number.number();
                    out.println(taken + " " + before + " " + after);
                }
                Thread.sleep(2);
            }
        }
    }
}
