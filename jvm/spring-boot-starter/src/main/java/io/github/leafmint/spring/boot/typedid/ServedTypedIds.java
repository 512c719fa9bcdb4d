package io.github.leafmint.spring.boot.typedid;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import io.github.leafmint.persistence.TypedIdClasses;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.web.method.HandlerMethod;

/**
 * Stops the start of a web server whose answers have typed ids without keys: else the first request would store its
 * row, and its answer would fail. Tests without a web server start without keys.
 */
class ServedTypedIds implements SmartInitializingSingleton {
    /** The bean that Spring Boot adds to a context with a web server. */
    private static final String WEB_SERVER = "webServerStartStop";

    private final TypedIds ids;
    private final ConfigurableListableBeanFactory beans;
    private final Supplier<Stream<HandlerMethod>> handlers;

    ServedTypedIds(TypedIds ids, ConfigurableListableBeanFactory beans, Supplier<Stream<HandlerMethod>> handlers) {
        this.ids = ids;
        this.beans = beans;
        this.handlers = handlers;
    }

    /** Looks at the handlers of an application without keys only. */
    @Override
    public void afterSingletonsInstantiated() {
        if (beans.containsSingleton(WEB_SERVER) && !hasKeys()) {
            List<String> packages =
                    AutoConfigurationPackages.has(beans) ? AutoConfigurationPackages.get(beans) : List.of();
            handlers.get()
                    .flatMap(handler -> types(handler.getMethod()))
                    .flatMap(type -> TypedIdClasses.in(type, owner -> isIn(packages, owner)).stream())
                    .forEach(type -> ids.text(TypedId.of(type, 0)));
        }
    }

    @IdForm(prefix = "probe")
    @SuppressWarnings("serial")
    static final class Probe extends TypedId {
        public Probe(long value) {
            super(value);
        }
    }

    private boolean hasKeys() {
        try {
            ids.text(new Probe(0));
            return true;
        } catch (InvalidConfigException missing) {
            return false;
        }
    }

    private static Stream<Type> types(Method handler) {
        return Stream.concat(
                Stream.of(handler.getGenericReturnType()), Arrays.stream(handler.getGenericParameterTypes()));
    }

    private static boolean isIn(List<String> packages, Class<?> type) {
        return packages.stream().anyMatch(name -> type.getName().startsWith(name + "."));
    }
}
