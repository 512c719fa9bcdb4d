package shop;

import io.github.leafmint.spring.boot.gapless.GaplessNumbers;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Bills what a client has paid. */
@RestController
@ConditionalOnClass(GaplessNumbers.class)
class InvoiceController {
    private final Invoices invoices;

    InvoiceController(Invoices invoices) {
        this.invoices = invoices;
    }

    @PostMapping("/orders/{order}/invoice")
    Map<String, String> bill(@PathVariable long order) {
        return Map.of("invoice", invoices.bill(order).getNumber());
    }

    @ExceptionHandler
    ProblemDetail notBilled(DataIntegrityViolationException failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "there is no such order, or it has an invoice");
    }
}
