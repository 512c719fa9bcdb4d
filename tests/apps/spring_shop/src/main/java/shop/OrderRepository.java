package shop;

import org.springframework.data.jpa.repository.JpaRepository;

/** The orders. */
public interface OrderRepository extends JpaRepository<Order, OrderId> {}
