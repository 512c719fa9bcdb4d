package io.github.leafmint.sharding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.Vectors;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class GenesTest {
    private static void check(String list, String answer, ToLongFunction<JsonObject> call) throws Exception {
        for (JsonObject expected : Vectors.cases("genes.json", list)) {
            if (expected.has("code")) {
                Vectors.refused(expected, () -> call.applyAsLong(expected));
            } else {
                assertEquals(expected.get(answer).getAsLong(), call.applyAsLong(expected), expected::toString);
            }
        }
    }

    @Test
    void genesOfIntegersAreThoseOfTheVectors() throws Exception {
        check(
                "gene_of_int",
                "gene",
                of -> Genes.geneOfKey(of.get("key").getAsLong(), of.get("bits").getAsLong()));
    }

    @Test
    void genesOfTextsAreThoseOfTheVectors() throws Exception {
        check(
                "gene_of_text",
                "gene",
                of -> Genes.geneOfKey(
                        of.get("key").getAsString(), of.get("bits").getAsLong()));
    }

    @Test
    void idsWithAGeneAreThoseOfTheVectors() throws Exception {
        check(
                "with_gene",
                "id",
                of -> Genes.withGene(
                        of.get("number").getAsLong(),
                        of.get("gene").getAsLong(),
                        of.get("bits").getAsLong()));
    }

    @Test
    void genesOfIdsAreThoseOfTheVectors() throws Exception {
        check(
                "gene_of_id",
                "gene",
                of -> Genes.geneOfId(of.get("id").getAsLong(), of.get("bits").getAsLong()));
    }

    @Test
    void theGeneOfATextIsWhatJavaItselfComputes() {
        for (String key : new String[] {"", "user-42", "polygenelubricants", "leaf🍃mint", "nul\0"}) {
            for (int bits = 1; bits <= 12; bits++) {
                assertEquals(Math.floorMod(key.hashCode(), 1 << bits), Genes.geneOfKey(key, bits), key);
            }
        }
    }

    @Test
    void anUnpairedSurrogateOrNullIsRefusedAsAKey() {
        assertThrows(InvalidArgumentException.class, () -> Genes.geneOfKey("\ud83c", 4));
        assertEquals(
                "key",
                assertThrows(NullPointerException.class, () -> Genes.geneOfKey(null, 4))
                        .getMessage());
    }
}
