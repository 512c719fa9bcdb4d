/**
 * What generators report: statistics, checks, and what a store or holder has. Only leafmint implements these
 * interfaces: a later version may add methods.
 */
@NullMarked
package io.github.leafmint.status;

import org.jspecify.annotations.NullMarked;
