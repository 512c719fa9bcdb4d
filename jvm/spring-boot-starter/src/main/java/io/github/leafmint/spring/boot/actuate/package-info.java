/** Health and endpoints for Spring Boot Actuator, which also registers the meters. */
package io.github.leafmint.spring.boot.actuate;
