/** Leaf's HTTP interface, for clients of a Leaf server. */
package io.github.leafmint.spring.boot.leaf;
