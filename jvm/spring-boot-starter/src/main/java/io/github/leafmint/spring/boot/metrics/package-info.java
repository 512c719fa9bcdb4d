/** Micrometer meters of the generators, with the names of Python's metrics. */
package io.github.leafmint.spring.boot.metrics;
