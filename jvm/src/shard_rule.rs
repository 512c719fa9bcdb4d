//! Natives of a shard rule.

use crate::natives::{handles, natives, quick_natives};
use crate::{array, handle};
use jni::sys::jlong;
use leafmint::ShardRule;

handles!(rule: ShardRule, shardRuleFree);

natives!(
    /// Makes a rule.
    fn shardRuleOf(
        env: &mut Env,
        business_code: JString,
        tables: jlong,
        table_width: jlong,
        strategy: JString,
    ) -> jlong {
        let (business_code, strategy) = (business_code.try_to_string(env)?, strategy.try_to_string(env)?);
        Ok(handle::give(ShardRule::with(&business_code, tables, table_width, &strategy)?))
    },
    /// Returns the table of a text key.
    fn shardRuleTableOfText(env: &mut Env, handle: jlong, key: JString) -> jlong {
        Ok(rule(handle).table_of_text(&key.try_to_string(env)?)?)
    }
);

quick_natives!(
    /// Returns the table of an integer key.
    fn shardRuleTableOfInt(handle: jlong, key: jlong) -> jlong {
        Ok(rule(handle).table_of_int(key))
    }
);

natives!(
    /// Composes a number with a shard suffix.
    fn shardRuleCompose(env: &mut Env, handle: jlong, sequence: jlong, table: jlong) -> JString {
        Ok(env.new_string(rule(handle).compose(sequence, table)?.to_string())?)
    },
    /// Parses a number with a shard suffix, and returns its sequence and table.
    fn shardRuleParse(env: &mut Env, handle: jlong, text: JString) -> JLongArray {
        let number = rule(handle).parse(&text.try_to_string(env)?)?;
        array::write(env, &[number.sequence(), number.table()])
    }
);
