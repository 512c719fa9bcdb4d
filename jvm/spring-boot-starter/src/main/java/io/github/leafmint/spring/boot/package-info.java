/** Auto-configuration of leafmint for Spring Boot. */
package io.github.leafmint.spring.boot;
