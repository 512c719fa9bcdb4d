//! Natives of genes.

use crate::natives::{natives, quick_natives};
use leafmint::gene;

quick_natives!(
    /// Returns the gene of an integer key.
    fn geneOfInt(key: jlong, bits: jlong) -> jlong {
        gene::gene_of_int(key, bits)
    }
);

natives!(
    /// Returns the gene of a text key.
    fn geneOfText(env: &mut Env, key: JString, bits: jlong) -> jlong {
        Ok(gene::gene_of_text(&key.try_to_string(env)?, bits)?)
    }
);

quick_natives!(
    /// Appends a gene to a number.
    fn geneCompose(number: jlong, gene: jlong, bits: jlong) -> jlong {
        gene::with_gene(number, gene, bits)
    },
    /// Returns the gene of an id.
    fn geneOfId(id: jlong, bits: jlong) -> jlong {
        gene::gene_of_id(id, bits)
    }
);
