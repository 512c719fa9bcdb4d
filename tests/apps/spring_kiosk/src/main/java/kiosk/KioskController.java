package kiosk;

import io.github.leafmint.SnowflakeGenerator;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sells things. */
@RestController
class KioskController {
    private final SaleRepository sales;
    private final SnowflakeGenerator snowflakes;

    KioskController(SaleRepository sales, SnowflakeGenerator snowflakes) {
        this.sales = sales;
        this.snowflakes = snowflakes;
    }

    @PostMapping("/sales")
    Map<String, Object> sell() {
        Sale sale = sales.save(new Sale("newspaper"));
        ReceiptId receipt = new ReceiptId(snowflakes.nextId());
        return Map.of("id", sale.getId(), "number", sale.getNumber(), "receipt", receipt);
    }
}
