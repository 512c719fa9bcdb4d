/** What the integrations with MyBatis and Spring Data share. */
@NullMarked
package io.github.leafmint.spring.boot.persistence;

import org.jspecify.annotations.NullMarked;
