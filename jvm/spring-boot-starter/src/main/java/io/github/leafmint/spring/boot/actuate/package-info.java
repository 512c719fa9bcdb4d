/** Health, meters and an endpoint for Spring Boot Actuator. */
package io.github.leafmint.spring.boot.actuate;
