package shop;

import java.util.Map;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Bills what a client has paid. */
@RestController
class InvoiceController {
    private final Invoices invoices;

    InvoiceController(Invoices invoices) {
        this.invoices = invoices;
    }

    @PostMapping("/orders/{order}/invoice")
    Map<String, String> bill(@PathVariable OrderId order) {
        return Map.of("invoice", invoices.bill(order).getNumber());
    }

    @ExceptionHandler
    ProblemDetail notBilled(DataIntegrityViolationException failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "there is no such order, or it has an invoice");
    }
}
