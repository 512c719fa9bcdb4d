package io.github.leafmint.ids;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.IdSpaceExhaustedException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.InvalidIdException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the texts of {@link TypedId}s.
 *
 * <p>An application has one, in Spring as a bean. It reads the declaration of each class once. It can be used from any
 * thread.
 *
 * <pre>{@code
 * TypedIds ids = TypedIds.of(IdKeys.fromFile(Path.of("/run/secrets/public-ids")));
 * String text = ids.text(new OrderId(42));
 * OrderId id = ids.parse(OrderId.class, text);
 * }</pre>
 */
public final class TypedIds {
    private static final String KEYS = "LEAFMINT_ID_KEYS";
    private static final String KEYS_FILE = "LEAFMINT_ID_KEYS_FILE";

    private static final TypedIds OF_ENVIRONMENT = new TypedIds(TypedIds::keysOfEnvironment);

    private static volatile TypedIds common = OF_ENVIRONMENT;

    private final BoundTexts texts;
    private final BoundSources sources;

    private TypedIds(Supplier<@Nullable IdKeys> keys) {
        this(new BoundTexts(keys), TypedIds::noTag, TypedIds::noSnowflakes);
    }

    private TypedIds(
            BoundTexts texts,
            Function<String, ? extends LongSupplier> tags,
            Supplier<? extends LongSupplier> snowflakes) {
        this.texts = texts;
        this.sources = new BoundSources(tags, snowflakes);
    }

    /**
     * Returns the texts with these keys.
     *
     * @param keys the keys
     * @return the texts
     */
    public static TypedIds of(IdKeys keys) {
        requireNonNull(keys, "keys");
        return new TypedIds(() -> keys);
    }

    /**
     * Returns the texts with keys that are asked for when the first class that needs them is used.
     *
     * @param keys supplies the keys; it is asked again if it fails
     * @return the texts
     */
    public static TypedIds of(Supplier<IdKeys> keys) {
        requireNonNull(keys, "keys");
        return new TypedIds(() -> requireNonNull(keys.get(), "the keys of the supplier"));
    }

    /**
     * Returns the texts of classes that need no keys: {@link IdForm.Form#FORMATTED} and {@link IdForm.Form#DECIMAL}.
     *
     * @return the texts
     */
    public static TypedIds withoutKeys() {
        return new TypedIds(() -> null);
    }

    /**
     * Returns the texts with the keys of the environment: those in {@code LEAFMINT_ID_KEYS}, else in the file that
     * {@code LEAFMINT_ID_KEYS_FILE} names. They are read when the first class that needs them is used.
     *
     * @return the texts
     */
    public static TypedIds ofEnvironment() {
        return OF_ENVIRONMENT;
    }

    /**
     * Returns the same texts, with new ids of tags from here. Spring's starter takes the application's generator.
     *
     * <pre>{@code
     * TypedIds.setDefault(TypedIds.ofEnvironment().mintingTags(segments::tag));
     * OrderId id = TypedId.next(OrderId.class);
     * }</pre>
     *
     * @param tags gives the tag of a name, such as {@code SegmentGenerator::tag}; it is asked once for each class, and
     *     again if it fails
     * @return the texts
     */
    public TypedIds mintingTags(Function<String, ? extends LongSupplier> tags) {
        return new TypedIds(texts, requireNonNull(tags, "tags"), sources.snowflakes);
    }

    /**
     * Returns the same texts, with new snowflakes from here.
     *
     * @param snowflakes gives the generator; it is asked once for each class, and again if it fails
     * @return the texts
     */
    public TypedIds mintingSnowflakes(Supplier<? extends LongSupplier> snowflakes) {
        return new TypedIds(texts, sources.tags, requireNonNull(snowflakes, "snowflakes"));
    }

    private static LongSupplier noTag(String tag) {
        throw new InvalidConfigException("there is no generator for the tag \"" + tag
                + "\": call TypedIds.setDefault(TypedIds.ofEnvironment().mintingTags(segments::tag)), or use the Spring"
                + " Boot starter");
    }

    private static LongSupplier noSnowflakes() {
        throw new InvalidConfigException("there is no generator of snowflakes: call"
                + " TypedIds.setDefault(TypedIds.ofEnvironment().mintingSnowflakes(() -> snowflakes)), or use the"
                + " Spring Boot starter");
    }

    /**
     * Mints an id of the tag that its class declares, or a snowflake.
     *
     * @param <T> the class
     * @param type the class
     * @return the id
     * @throws InvalidConfigException if the class declares neither a tag nor snowflakes, if no generator is configured,
     *     or if keys are missing
     */
    public <T extends TypedId> T next(Class<T> type) {
        LongSupplier source = sources.get(type);
        // A service would store a row under the id, and only then fail to show it.
        texts.get(type);
        return TypedId.of(type, source.getAsLong());
    }

    /**
     * Returns what {@link TypedId#toString} uses.
     *
     * @return what {@link #setDefault} got, else {@link #ofEnvironment}
     */
    public static TypedIds getDefault() {
        return common;
    }

    /**
     * Sets what {@link TypedId#toString} uses. Spring's starter sets its bean.
     *
     * @param ids the texts
     */
    public static void setDefault(TypedIds ids) {
        common = requireNonNull(ids, "ids");
    }

    /**
     * Passes the keys on once they are known: at once, or when the first class that needs them is used.
     *
     * @param listener is called once, and must not throw
     */
    public void onKeys(Consumer<IdKeys> listener) {
        texts.onKeys(requireNonNull(listener, "listener"));
    }

    private static IdKeys keysOfEnvironment() {
        String keys = System.getenv(KEYS);
        if (keys != null && !keys.isEmpty()) {
            return IdKeys.fromEnvironment(KEYS);
        }
        String file = System.getenv(KEYS_FILE);
        if (file != null && !file.isEmpty()) {
            return IdKeys.fromFile(Path.of(file));
        }
        throw new InvalidConfigException("ids of this form need keys, and none are configured: set " + KEYS + " or "
                + KEYS_FILE + ", or call TypedIds.setDefault; `leafmint id-keys new` makes a key");
    }

    /**
     * Writes an id.
     *
     * @param id the id
     * @return its text
     * @throws InvalidConfigException if its class is not declared as {@link IdForm} asks, or if keys are missing
     * @throws IdSpaceExhaustedException if the id does not fit the format of its class
     */
    public String text(TypedId id) {
        return texts.get(id.getClass()).encode(id.value());
    }

    /**
     * Reads an id.
     *
     * @param <T> the class of the id
     * @param type the class of the id
     * @param text the text of an id
     * @return the id
     * @throws InvalidIdException if the text is not that of an id of this class
     * @throws InvalidConfigException if the class is not declared as {@link IdForm} asks, or if keys are missing
     */
    public <T extends TypedId> T parse(Class<T> type, String text) {
        requireNonNull(text, "text");
        return TypedId.of(type, texts.get(type).decode(text));
    }

    /**
     * Returns a regular expression that matches each text of a class, and few others, as JSON Schema has it. It needs
     * no keys.
     *
     * @param type the class of the ids
     * @return the regular expression
     * @throws InvalidConfigException if the class is not declared as {@link IdForm} asks
     */
    public String pattern(Class<? extends TypedId> type) {
        return IdDeclaration.of(type).pattern();
    }

    /**
     * Returns a text of the right shape, for documentation. It needs no keys.
     *
     * @param type the class of the ids
     * @return the text
     * @throws InvalidConfigException if the class is not declared as {@link IdForm} asks
     */
    public String example(Class<? extends TypedId> type) {
        return IdDeclaration.of(type).example();
    }

    /** What mints, by class. A class keeps its tag, and the tag neither the class nor this object. */
    private static final class BoundSources extends ClassValue<LongSupplier> {
        private final Function<String, ? extends LongSupplier> tags;
        private final Supplier<? extends LongSupplier> snowflakes;

        BoundSources(Function<String, ? extends LongSupplier> tags, Supplier<? extends LongSupplier> snowflakes) {
            this.tags = tags;
            this.snowflakes = snowflakes;
        }

        @Override
        protected LongSupplier computeValue(Class<?> type) {
            IdDeclaration declaration = IdDeclaration.of(type.asSubclass(TypedId.class));
            if (declaration.snowflake) {
                return requireNonNull(snowflakes.get(), "the generator of snowflakes");
            }
            if (declaration.tag.isEmpty()) {
                throw IdDeclaration.wrong(
                        type,
                        "it does not say where new ids come from: @IdForm(…, tag = \"…\"), or snowflake = true",
                        null);
            }
            return requireNonNull(tags.apply(declaration.tag), "the tag");
        }
    }

    /**
     * The texts by class. A class keeps its text, and the text neither the class nor this object: nothing here keeps a
     * class loader reachable.
     */
    private static final class BoundTexts extends ClassValue<BoundIdText> {
        private final Supplier<@Nullable IdKeys> supplier;
        private final List<Consumer<IdKeys>> listeners = new ArrayList<>();
        private @Nullable IdKeys keys;

        BoundTexts(Supplier<@Nullable IdKeys> supplier) {
            this.supplier = supplier;
        }

        @Override
        protected BoundIdText computeValue(Class<?> type) {
            IdDeclaration declaration = IdDeclaration.of(type.asSubclass(TypedId.class));
            return new BoundIdText(
                    IdDeclaration.naming(type, () -> declaration.bind(declaration.needsKeys() ? keys() : null)));
        }

        private synchronized @Nullable IdKeys keys() {
            if (keys == null) {
                keys = supplier.get();
                if (keys != null) {
                    listeners.forEach(listener -> listener.accept(keys));
                    listeners.clear();
                }
            }
            return keys;
        }

        synchronized void onKeys(Consumer<IdKeys> listener) {
            if (keys == null) {
                listeners.add(listener);
            } else {
                listener.accept(keys);
            }
        }
    }
}
