/** Numbers without gaps in Spring's transactions. */
@NullMarked
package io.github.leafmint.spring.boot.gapless;

import org.jspecify.annotations.NullMarked;
