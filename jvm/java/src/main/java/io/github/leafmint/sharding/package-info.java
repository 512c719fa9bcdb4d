/** Which shard or table an id, a key or a time belongs to. */
@NullMarked
package io.github.leafmint.sharding;

import org.jspecify.annotations.NullMarked;
