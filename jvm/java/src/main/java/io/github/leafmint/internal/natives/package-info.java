/**
 * What crosses to the native library: its loading, the natives, who owns a native value, and how arguments and records
 * are passed. No API.
 */
@NullMarked
package io.github.leafmint.internal.natives;

import org.jspecify.annotations.NullMarked;
