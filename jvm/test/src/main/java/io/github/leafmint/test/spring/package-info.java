/**
 * Gives the contexts of Spring's tests ids of their own, without code: see
 * {@link io.github.leafmint.test.spring.LeafmintTestClock} and the page "Testing your code".
 */
@NullMarked
package io.github.leafmint.test.spring;

import org.jspecify.annotations.NullMarked;
