package io.github.leafmint.spring.boot.typedid;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.ids.TypedIds;
import io.github.leafmint.spring.boot.LeafmintTypedIdsAutoConfiguration;
import io.swagger.v3.core.converter.ModelConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lets clients see the text of a {@link io.github.leafmint.ids.TypedId} and nothing else: in JSON of Jackson 2 and 3,
 * in paths, parameters and forms of Spring MVC and WebFlux, and in the documents of springdoc.
 *
 * <pre>{@code
 * @GetMapping("/orders/{id}")
 * OrderView order(@PathVariable OrderId id) {
 *     …
 * }
 * }</pre>
 */
@AutoConfiguration(
        after = LeafmintTypedIdsAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
        })
@ConditionalOnBean(TypedIds.class)
public class LeafmintTypedIdFormsAutoConfiguration {
    /** The bean that the starter declares, unless the application has its own. */
    private static final String KEYS_OF_PROPERTIES = "leafmintTypedIds";

    LeafmintTypedIdFormsAutoConfiguration() {}

    /** JSON of Jackson 2. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObjectMapper.class)
    static class Jackson2 {
        @Bean
        io.github.leafmint.jackson.TypedIdModule leafmintJackson2Module(TypedIds ids) {
            return new io.github.leafmint.jackson.TypedIdModule(ids);
        }
    }

    /** JSON of Jackson 3. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class Jackson3 {
        @Bean
        io.github.leafmint.jackson3.TypedIdModule leafmintJackson3Module(TypedIds ids) {
            return new io.github.leafmint.jackson3.TypedIdModule(ids);
        }
    }

    /** Paths, parameters and forms of Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebMvcConfigurer.class)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    static class Mvc {
        @Bean
        MvcTypedIds leafmintMvcTypedIds(TypedIds ids) {
            return new MvcTypedIds(ids);
        }

        @Bean
        @Lazy(false)
        @ConditionalOnBean(name = KEYS_OF_PROPERTIES)
        ServedTypedIds leafmintServedTypedIds(
                TypedIds ids,
                ConfigurableListableBeanFactory beans,
                ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
            return new ServedTypedIds(ids, beans, () -> mappings.stream()
                    .flatMap(mapping -> mapping.getHandlerMethods().values().stream()));
        }
    }

    /** Paths, parameters and forms of Spring WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebFluxConfigurer.class)
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    static class WebFlux {
        @Bean
        WebFluxTypedIds leafmintWebFluxTypedIds(TypedIds ids) {
            return new WebFluxTypedIds(ids);
        }

        @Bean
        @Lazy(false)
        @ConditionalOnBean(name = KEYS_OF_PROPERTIES)
        ServedTypedIds leafmintServedTypedIds(
                TypedIds ids,
                ConfigurableListableBeanFactory beans,
                ObjectProvider<org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping>
                        mappings) {
            return new ServedTypedIds(ids, beans, () -> mappings.stream()
                    .flatMap(mapping -> mapping.getHandlerMethods().values().stream()));
        }
    }

    /** Forms of either. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebDataBinder.class)
    @ConditionalOnWebApplication
    static class Binding {
        @Bean
        TypedIdBinding leafmintTypedIdBinding() {
            return new TypedIdBinding();
        }
    }

    /** Documents of springdoc. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ModelConverter.class)
    static class Springdoc {
        @Bean
        TypedIdSchemas leafmintTypedIdSchemas(TypedIds ids) {
            return new TypedIdSchemas(ids);
        }
    }
}
