package io.github.leafmint.jackson3;

import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Lets a mapper of Jackson 3 write and read {@link TypedId}s with other keys than those of {@link TypedIds#getDefault},
 * which each mapper uses without it. Spring's starter registers it with the bean.
 *
 * <pre>{@code
 * JsonMapper mapper = JsonMapper.builder().addModule(new TypedIdModule(ids)).build();
 * }</pre>
 */
public final class TypedIdModule extends JacksonModule {
    private final TypedIds ids;

    /**
     * Makes a module.
     *
     * @param ids writes and reads the texts
     */
    public TypedIdModule(TypedIds ids) {
        this.ids = ids;
    }

    @Override
    public String getModuleName() {
        return "leafmint-typed-ids";
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(SetupContext context) {
        context.insertAnnotationIntrospector(new Introspector(() -> ids));
    }

    /** Answers before Jackson reads the annotation {@link WithTypedIdCodec}. */
    private static final class Introspector extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        private final transient Supplier<TypedIds> ids;

        Introspector(Supplier<TypedIds> ids) {
            this.ids = ids;
        }

        @Override
        public @Nullable Object findSerializer(MapperConfig<?> config, Annotated annotated) {
            return isTypedId(annotated) ? new TypedIdCodec.Writer(ids) : null;
        }

        @Override
        public @Nullable Object findKeySerializer(MapperConfig<?> config, Annotated annotated) {
            return isTypedId(annotated) ? new TypedIdCodec.NameWriter(ids) : null;
        }

        @Override
        public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
            return isTypedId(annotated) ? new TypedIdCodec.Reader(ids, typedId(annotated)) : null;
        }

        @Override
        public @Nullable Object findKeyDeserializer(MapperConfig<?> config, Annotated annotated) {
            return isTypedId(annotated) ? new TypedIdCodec.NameReader(ids, typedId(annotated)) : null;
        }

        private static boolean isTypedId(Annotated annotated) {
            return annotated instanceof AnnotatedClass && TypedId.class.isAssignableFrom(annotated.getRawType());
        }

        private static Class<? extends TypedId> typedId(Annotated annotated) {
            return annotated.getRawType().asSubclass(TypedId.class);
        }
    }
}
