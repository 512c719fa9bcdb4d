/** Key generators and sharding algorithms for Apache ShardingSphere 5.5, found by their types through its SPI. */
@NullMarked
package io.github.leafmint.shardingsphere;

import org.jspecify.annotations.NullMarked;
