/** The application's own connections, through which the core leases. No public API: it may change in any release. */
@NullMarked
package io.github.leafmint.internal.lending;

import org.jspecify.annotations.NullMarked;
