/**
 * Ids in JSON, with Jackson 3. Written beside the package for Jackson 2, not generated from it: superclasses, methods
 * and exceptions differ, and not only packages.
 */
@NullMarked
package io.github.leafmint.jackson3;

import org.jspecify.annotations.NullMarked;
