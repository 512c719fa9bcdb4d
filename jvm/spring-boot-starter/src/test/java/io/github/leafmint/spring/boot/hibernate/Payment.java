package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.persistence.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Payment {
    @Id
    @SnowflakeId
    Long id;
}
