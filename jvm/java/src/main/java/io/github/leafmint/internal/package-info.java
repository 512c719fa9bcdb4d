/** Machinery of leafmint, no API: texts, times and a cache. */
@NullMarked
package io.github.leafmint.internal;

import org.jspecify.annotations.NullMarked;
