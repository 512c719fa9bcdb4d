package io.github.leafmint;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The tags of a generator that the application holds, by name. It forgets the others, so names do not accumulate. */
final class TagCache {
    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<BizTag> unreachable = new ReferenceQueue<>();

    private static final class Entry extends WeakReference<BizTag> {
        private final String name;

        Entry(BizTag tag, ReferenceQueue<BizTag> unreachable) {
            super(tag, unreachable);
            name = tag.name();
        }
    }

    /** Returns the tag with this name, and makes it if the application holds none. */
    BizTag get(String name, Function<String, BizTag> make) {
        Entry known = entries.get(name);
        BizTag tag = known == null ? null : known.get();
        if (tag != null) {
            return tag;
        }
        forgetUnreachable();
        BizTag made = make.apply(name);
        while (true) {
            Entry entry = entries.computeIfAbsent(name, absent -> new Entry(made, unreachable));
            BizTag kept = entry.get();
            if (kept != null) {
                return kept;
            }
            entries.remove(name, entry);
        }
    }

    void clear() {
        entries.clear();
    }

    int size() {
        return entries.size();
    }

    private void forgetUnreachable() {
        while (unreachable.poll() instanceof Entry entry) {
            entries.remove(entry.name, entry);
        }
    }
}
