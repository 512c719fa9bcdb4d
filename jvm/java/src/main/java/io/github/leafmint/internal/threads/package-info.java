/**
 * How threads wait for ids, and what runs on the threads of leafmint: events, credentials, the close at exit. No API.
 */
@NullMarked
package io.github.leafmint.internal.threads;

import org.jspecify.annotations.NullMarked;
