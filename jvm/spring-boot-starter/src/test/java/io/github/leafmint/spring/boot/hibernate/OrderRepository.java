package io.github.leafmint.spring.boot.hibernate;

import java.util.List;
import java.util.Set;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface OrderRepository extends JpaRepository<Order, Long> {
    List<Order> findByCustomerAndTicketNotNull(Order.CustomerId customer);

    @Query("SELECT DISTINCT o.customer AS customer FROM Order o WHERE o.customer IN :customers")
    List<OfCustomer> present(Set<Order.CustomerId> customers);

    interface OfCustomer {
        Order.CustomerId getCustomer();
    }
}
