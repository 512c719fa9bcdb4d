package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.spring.boot.actuate.LeafmintFiles.WebFile;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The page and its document on WebFlux. */
@EndpointWebExtension(endpoint = LeafmintEndpoint.class)
class LeafmintReactiveWebExtension {
    private final LeafmintFiles files;

    LeafmintReactiveWebExtension(LeafmintFiles files) {
        this.files = files;
    }

    @ReadOperation(produces = {"text/html", "application/json"})
    public Mono<WebEndpointResponse<byte[]>> file(@Selector String name) {
        return Mono.deferContextual(context -> Mono.fromFuture(files.read(name)).map(file -> answer(file, context)));
    }

    /** An endpoint's answer has no headers of its own. */
    private static WebEndpointResponse<byte[]> answer(WebFile file, ContextView context) {
        ServerWebExchangeContextFilter.getExchange(context)
                .ifPresent(exchange -> exchange.getResponse().getHeaders().setAll(file.headers()));
        return file.answer();
    }
}
