/**
 * Mints in tests of applications: no database, no files, no waits, and the same ids in each run.
 *
 * <p>{@link io.github.leafmint.test.LeafmintTest} gives each test of JUnit Jupiter generators of its own;
 * {@link io.github.leafmint.test.TestGenerators} opens them in any other framework.
 * {@link io.github.leafmint.test.AuditAssertions} looks at the keys of a real database.
 *
 * <pre>{@code
 * @LeafmintTest
 * class OrderServiceTest {
 *     @Test
 *     void theFirstOrderHasNumber1(@TestIds("order") Tag orderIds) {
 *         assertEquals(1, new OrderService(orderIds).open().id());
 *     }
 * }
 * }</pre>
 */
@NullMarked
package io.github.leafmint.test;

import org.jspecify.annotations.NullMarked;
