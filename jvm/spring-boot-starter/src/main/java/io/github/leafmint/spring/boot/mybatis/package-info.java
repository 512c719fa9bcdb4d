/** Ids of leafmint for MyBatis-Plus and MyBatis. */
package io.github.leafmint.spring.boot.mybatis;
