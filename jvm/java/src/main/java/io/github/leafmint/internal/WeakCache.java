package io.github.leafmint.internal;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A map from names to values that forgets a value once the application no longer holds it, so names do not pile up. */
public final class WeakCache<V> {
    private final ConcurrentHashMap<String, Entry<V>> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<V> unreachable = new ReferenceQueue<>();

    private static final class Entry<V> extends WeakReference<V> {
        private final String name;

        Entry(String name, V value, ReferenceQueue<V> unreachable) {
            super(value, unreachable);
            this.name = name;
        }
    }

    /** Returns the value with this name, {@code null} if the application holds none. */
    @Nullable
    public V get(String name) {
        Entry<V> known = entries.get(name);
        return known == null ? null : known.get();
    }

    /** Returns the value with this name that another thread has kept meanwhile, or else keeps {@code made}. */
    public V keep(String name, V made) {
        forgetUnreachable();
        var entry = new Entry<>(name, made, unreachable);
        while (true) {
            Entry<V> known = entries.putIfAbsent(name, entry);
            if (known == null) {
                return made;
            }
            V kept = known.get();
            if (kept != null) {
                return kept;
            }
            entries.remove(name, known);
        }
    }

    public void clear() {
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
