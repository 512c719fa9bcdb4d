/** Ids in JSON, with Jackson 3. */
@NullMarked
package io.github.leafmint.jackson3;

import org.jspecify.annotations.NullMarked;
