/** Ids in the form that programs and people see: classes of typed ids, public ids, and scrambled numbers. */
@NullMarked
package io.github.leafmint.ids;

import org.jspecify.annotations.NullMarked;
