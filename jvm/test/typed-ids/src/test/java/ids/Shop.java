package ids;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Its controllers run on Spring MVC and on Spring WebFlux. */
@SpringBootApplication
class Shop {
    record OrderView(
            OrderId id,
            @Schema(description = "Who ordered", example = "customer_of_the_annotation") CustomerId customer,
            Map<OrderId, List<CustomerId>> watchers) {}

    @IdForm(prefix = "parcel")
    @SuppressWarnings("serial")
    static final class ParcelId extends TypedId {
        public ParcelId(long value) {
            super(value);
        }
    }

    record ParcelView(ParcelId id, OrderId order, String carrier, List<OrderId> orders, List<String> labels) {}

    record OrderForm(OrderId id, String note) {}

    static class OrderBean {
        private OrderId id;

        public OrderId getId() {
            return id;
        }

        public void setId(OrderId id) {
            this.id = id;
        }
    }

    @RestController
    static class Orders {
        @GetMapping("/orders/{id}")
        OrderView order(@PathVariable("id") OrderId id) {
            var customer = new CustomerId(id.value() + 1);
            return new OrderView(id, customer, Map.of(id, List.of(customer)));
        }

        @GetMapping("/parcels/{id}")
        ParcelView parcel(
                @PathVariable("id") ParcelId id,
                @RequestParam("customer") CustomerId customer,
                @RequestParam("carrier") String carrier) {
            return null;
        }

        @GetMapping("/parcels/{id}/carrier")
        String carrier(@PathVariable("id") ParcelId id) {
            return null;
        }

        @GetMapping("/parameter")
        String parameter(@RequestParam(name = "id", required = false) OrderId id) {
            return number(id);
        }

        @GetMapping("/parameters")
        String parameters(@RequestParam("id") List<OrderId> ids) {
            return ids.stream().map(Orders::number).toList().toString();
        }

        @GetMapping("/header")
        String header(@RequestHeader("X-Order") OrderId id) {
            return number(id);
        }

        @PostMapping("/form")
        String form(OrderForm form) {
            return number(form.id());
        }

        @PostMapping("/bean")
        String bean(OrderBean bean) {
            return number(bean.getId());
        }

        /** Lacks an annotation, so Spring takes the parameter for a form. */
        @PostMapping("/unnamed")
        String unnamed(OrderId id) {
            return number(id);
        }

        @PostMapping("/json")
        OrderView json(@RequestBody OrderView order) {
            return order;
        }

        /** Shows what arrived, which no application should. */
        private static String number(OrderId id) {
            return id == null ? "none" : Long.toString(id.value());
        }
    }
}
