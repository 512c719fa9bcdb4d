package io.github.leafmint.spring.boot.typedid;

import io.github.leafmint.ids.TypedIds;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Lets Spring MVC convert typed ids, also in an application with {@code @EnableWebMvc}. */
class MvcTypedIds implements WebMvcConfigurer {
    private final TypedIds ids;

    MvcTypedIds(TypedIds ids) {
        this.ids = ids;
    }

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(new TypedIdConverter(ids));
    }
}
