package kiosk;

import io.github.leafmint.SnowflakeGenerator;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sells things. Ids are texts, since JavaScript rounds numbers above 2<sup>53</sup>. */
@RestController
class KioskController {
    private final SaleRepository sales;
    private final SnowflakeGenerator snowflakes;

    KioskController(SaleRepository sales, SnowflakeGenerator snowflakes) {
        this.sales = sales;
        this.snowflakes = snowflakes;
    }

    @PostMapping("/sales")
    Map<String, String> sell() {
        Sale sale = sales.save(new Sale("newspaper"));
        String receipt = Long.toString(snowflakes.nextId());
        return Map.of("id", sale.getId().toString(), "number", sale.getNumber(), "receipt", receipt);
    }
}
