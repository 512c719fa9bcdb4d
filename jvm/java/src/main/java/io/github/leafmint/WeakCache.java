package io.github.leafmint;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A map from names to values that forgets a value once the application no longer holds it, so names do not pile up. */
final class WeakCache<V> {
    private final ConcurrentHashMap<String, Entry<V>> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<V> unreachable = new ReferenceQueue<>();

    private static final class Entry<V> extends WeakReference<V> {
        private final String name;

        Entry(String name, V value, ReferenceQueue<V> unreachable) {
            super(value, unreachable);
            this.name = name;
        }
    }

    /** Returns the value with this name, and makes it if the application holds none. */
    V get(String name, Function<String, V> make) {
        Entry<V> known = entries.get(name);
        V value = known == null ? null : known.get();
        if (value != null) {
            return value;
        }
        forgetUnreachable();
        V made = make.apply(name);
        while (true) {
            Entry<V> entry = entries.computeIfAbsent(name, absent -> new Entry<>(name, made, unreachable));
            V kept = entry.get();
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
        while (unreachable.poll() instanceof Entry<?> entry) {
            entries.remove(entry.name, entry);
        }
    }
}
