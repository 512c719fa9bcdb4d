package io.github.leafmint;

import io.github.leafmint.jackson.IdAsString;
import java.time.Instant;

/**
 * The parts of a snowflake, as {@link Layout#decode} returns them.
 *
 * <pre>{@code
 * DecodedId parts = Layout.of("leaf").decode(id);
 * System.out.println("worker " + parts.workerId() + " at " + parts.timestamp());
 * }</pre>
 *
 * @param id the id itself
 * @param timestamp the start of its tick
 * @param datacenterId the datacenter id; 0 if the layout has no bits for it
 * @param workerId the worker id
 * @param sequence the sequence number within the tick
 * @param gene the gene; 0 if the layout has no bits for it
 */
public record DecodedId(
        @IdAsString long id, Instant timestamp, long datacenterId, long workerId, long sequence, long gene) {}
