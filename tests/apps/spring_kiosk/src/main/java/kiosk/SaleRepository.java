package kiosk;

import org.springframework.data.jpa.repository.JpaRepository;

interface SaleRepository extends JpaRepository<Sale, SaleId> {}
