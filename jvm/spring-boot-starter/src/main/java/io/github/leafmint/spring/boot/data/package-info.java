/** Ids of leafmint for Spring Data JDBC and R2DBC. */
package io.github.leafmint.spring.boot.data;
