package io.github.leafmint.spring.boot.typedid;

import io.github.leafmint.ids.TypedIds;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Lets Spring WebFlux convert typed ids, also in an application with {@code @EnableWebFlux}. */
class WebFluxTypedIds implements WebFluxConfigurer {
    private final TypedIds ids;

    WebFluxTypedIds(TypedIds ids) {
        this.ids = ids;
    }

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(new TypedIdConverter(ids));
    }
}
