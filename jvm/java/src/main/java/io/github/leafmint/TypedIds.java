package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the texts of {@link TypedId}s.
 *
 * <p>An application has one, in Spring as a bean. It reads the declaration of each class once. It can be used from any
 * thread.
 *
 * <pre>{@code
 * TypedIds ids = TypedIds.of(PublicKeys.fromFile(Path.of("/run/secrets/public-ids")));
 * String text = ids.text(new OrderId(42));
 * OrderId id = ids.parse(OrderId.class, text);
 * }</pre>
 */
public final class TypedIds {
    private static final String KEYS = "LEAFMINT_PUBLIC_KEYS";
    private static final String KEYS_FILE = "LEAFMINT_PUBLIC_KEYS_FILE";

    private static final TypedIds OF_ENVIRONMENT = new TypedIds(TypedIds::keysOfEnvironment);

    private static volatile TypedIds common = OF_ENVIRONMENT;

    private final BoundTexts texts;

    private TypedIds(Supplier<@Nullable PublicKeys> keys) {
        texts = new BoundTexts(keys);
    }

    /**
     * Returns the texts with these keys.
     *
     * @param keys the keys
     * @return the texts
     */
    public static TypedIds of(PublicKeys keys) {
        requireNonNull(keys, "keys");
        return new TypedIds(() -> keys);
    }

    /**
     * Returns the texts with keys that are asked for when the first class that needs them is used.
     *
     * @param keys supplies the keys; it is asked again if it fails
     * @return the texts
     */
    public static TypedIds of(Supplier<PublicKeys> keys) {
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
     * Returns the texts with the keys of the environment: those in {@code LEAFMINT_PUBLIC_KEYS}, else in the file that
     * {@code LEAFMINT_PUBLIC_KEYS_FILE} names. They are read when the first class that needs them is used.
     *
     * @return the texts
     */
    public static TypedIds ofEnvironment() {
        return OF_ENVIRONMENT;
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

    private static PublicKeys keysOfEnvironment() {
        String keys = System.getenv(KEYS);
        if (keys != null && !keys.isEmpty()) {
            return PublicKeys.fromEnvironment(KEYS);
        }
        String file = System.getenv(KEYS_FILE);
        if (file != null && !file.isEmpty()) {
            return PublicKeys.fromFile(Path.of(file));
        }
        throw new InvalidConfigException("ids of this form need keys, and none are configured: set " + KEYS + " or "
                + KEYS_FILE + ", or call TypedIds.setDefault; `leafmint public keys new` makes a key");
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

    /**
     * The texts by class. A class keeps its text, and the text neither the class nor this object: nothing here keeps a
     * class loader reachable.
     */
    private static final class BoundTexts extends ClassValue<BoundIdText> {
        private final Supplier<@Nullable PublicKeys> supplier;
        private @Nullable PublicKeys keys;

        BoundTexts(Supplier<@Nullable PublicKeys> supplier) {
            this.supplier = supplier;
        }

        @Override
        protected BoundIdText computeValue(Class<?> type) {
            IdDeclaration declaration = IdDeclaration.of(type.asSubclass(TypedId.class));
            return new BoundIdText(
                    IdDeclaration.naming(type, () -> declaration.bind(declaration.needsKeys() ? keys() : null)));
        }

        private synchronized @Nullable PublicKeys keys() {
            if (keys == null) {
                keys = supplier.get();
            }
            return keys;
        }
    }
}
