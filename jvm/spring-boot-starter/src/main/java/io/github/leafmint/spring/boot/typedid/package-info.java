/** Typed ids in JSON, in web applications and in their OpenAPI documents. */
package io.github.leafmint.spring.boot.typedid;
