/** What the results of the API are made of. */
@NullMarked
package io.github.leafmint.internal.results;

import org.jspecify.annotations.NullMarked;
