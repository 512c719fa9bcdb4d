/**
 * Runs the statements that take numbers without gaps, in a transaction of the application. No public API: it may change
 * in any release.
 */
@NullMarked
package io.github.leafmint.internal.gapless;

import org.jspecify.annotations.NullMarked;
