/** Passes leafmint's generators to Hibernate. */
package io.github.leafmint.spring.boot.hibernate;
