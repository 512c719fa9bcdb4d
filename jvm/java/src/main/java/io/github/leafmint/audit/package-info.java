/**
 * What {@link io.github.leafmint.Audit} reports. Only leafmint implements these interfaces: a later version may add
 * methods.
 */
@NullMarked
package io.github.leafmint.audit;

import org.jspecify.annotations.NullMarked;
