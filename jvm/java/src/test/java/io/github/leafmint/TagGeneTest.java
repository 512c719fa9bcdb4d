package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.sharding.Genes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TagGeneTest {
    private static InvalidArgumentException refused(Executable call) {
        return assertThrows(InvalidArgumentException.class, call);
    }

    @Test
    void anIdHoldsItsGene() {
        try (var ids = SegmentGenerator.open("memory://genes")) {
            Tag order = ids.tag("order", new TagOptions().geneBits(4));
            assertEquals(4, order.geneBits());
            assertSame(order, ids.tag("order", new TagOptions().geneBits(4)));
            for (long number = 1; number <= 2000; number++) {
                long gene = Genes.geneOfKey("user-" + number, 4);
                long id = order.nextIdWithGene(gene);
                assertEquals(number, id >> 4);
                assertEquals(gene, Genes.geneOfId(id, 4));
            }
            assertEquals(2001 << 4 | 3, order.nextIdWithGene(3, Duration.ofSeconds(1)));
        }
    }

    @Test
    void callsWithoutAGeneAndGenesOutOfRangeAreRefused() {
        try (var ids = SegmentGenerator.open("memory://without-gene")) {
            Tag order = ids.tag("order", new TagOptions().geneBits(4));
            for (long number = 1; number <= 2; number++) {
                List<Executable> raw = List.of(
                        order::nextId,
                        () -> order.nextId(Duration.ZERO),
                        order::tryNextId,
                        () -> order.nextIds(3),
                        () -> order.nextIds(new long[3]),
                        () -> order.nextRange(3),
                        order::getAsLong);
                for (Executable call : raw) {
                    String message = refused(call).getMessage();
                    assertTrue(message.contains("pass a gene"), message);
                }
                for (long gene : new long[] {-1, 16, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    refused(() -> order.nextIdWithGene(gene));
                    refused(() -> order.nextIdWithGene(gene, Duration.ofSeconds(1)));
                }
                refused(() -> order.nextIdWithGene(0, Duration.ofSeconds(-1)));
                assertEquals(number << 4, order.nextIdWithGene(0));
            }
            assertThrows(NullPointerException.class, () -> order.nextIdWithGene(0, null));
            refused(() -> ids.tag("raw").nextIdWithGene(0));
        }
    }

    @Test
    void geneBitsAre1To12AndTheSameInOneGenerator() {
        try (var ids = SegmentGenerator.open("memory://bits")) {
            for (long bits : new long[] {-1, 13, Long.MAX_VALUE}) {
                refused(() -> ids.tag("order", new TagOptions().geneBits(bits)));
                refused(() -> ids.createTag("order").step(1).geneBits(bits).create());
            }
            ids.tag("order", new TagOptions().geneBits(4));
            for (long bits : new long[] {0, 5}) {
                String message = refused(() -> ids.tag("order", new TagOptions().geneBits(bits)))
                        .getMessage();
                assertTrue(message.contains("gene_bits=4"), message);
            }
            refused(() -> ids.tag("order"));
            assertEquals(0, ids.tag("raw", new TagOptions().geneBits(0)).geneBits());
        }
    }

    @Test
    void aTagNeverMintsBothRawIdsAndIdsWithGenes(@TempDir Path directory) {
        String url = "sqlite:///" + directory.resolve("ids.db");
        try (var ids = SegmentGenerator.open(url)) {
            ids.tag("raw").nextId();
            assertTrue(ids.createTag("gene").step(10).start(100).geneBits(4).create());
            assertEquals(100 << 4, ids.tag("gene", new TagOptions().geneBits(4)).nextIdWithGene(0));
        }
        try (var ids = SegmentGenerator.open(url)) {
            assertThrows(InvalidConfigException.class, () -> ids.tag("raw", new TagOptions().geneBits(4))
                    .nextIdWithGene(0));
            assertThrows(InvalidConfigException.class, () -> ids.tag("gene").nextId());
            assertThrows(
                    InvalidConfigException.class,
                    () -> ids.createTag("gene").step(10).geneBits(5).create());
        }
        try (var ids = SegmentGenerator.open(url)) {
            assertEquals(
                    101 << 4 | 9, ids.tag("gene", new TagOptions().geneBits(4)).nextIdWithGene(9));
            ids.close();
            assertThrows(ClosedException.class, () -> ids.tag("gene", new TagOptions().geneBits(4)));
        }
    }
}
