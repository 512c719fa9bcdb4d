package io.github.leafmint.shardingsphere;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** Finds tables, or data sources, by the number that their names end in. */
final class Targets {
    private Targets() {}

    /** Returns the targets with these numbers, in their order. Numbers without a target are left out. */
    static List<String> numbered(Collection<String> targets, SortedSet<Integer> numbers) {
        Map<Integer, String> known = new HashMap<>();
        for (String target : targets) {
            known.put(numberOf(target), target);
        }
        var found = new ArrayList<String>();
        for (int number : numbers) {
            String target = known.get(number);
            if (target != null) {
                found.add(target);
            }
        }
        return found;
    }

    /** Returns the target with a number, which has to exist. */
    static String numbered(Collection<String> targets, int number, String shardOf) {
        for (String target : targets) {
            if (numberOf(target) == number) {
                return target;
            }
        }
        throw new IllegalStateException(shardOf + " belongs to shard " + number + ", but none of " + targets
                + " ends in this number: check actualDataNodes and sharding-count");
    }

    private static int numberOf(String target) {
        int at = target.length();
        while (at > 0 && Character.isDigit(target.charAt(at - 1))) {
            at--;
        }
        try {
            return Integer.parseInt(target.substring(at));
        } catch (NumberFormatException none) {
            throw new IllegalStateException(
                    "\"" + target + "\" does not end in the number of a shard, as t_order_0 does");
        }
    }
}
