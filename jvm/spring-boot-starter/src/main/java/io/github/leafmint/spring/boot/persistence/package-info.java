/** What the integrations with MyBatis and Spring Data share. */
package io.github.leafmint.spring.boot.persistence;
