/** Ids in JSON. */
@NullMarked
package io.github.leafmint.jackson;

import org.jspecify.annotations.NullMarked;
