package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.Tag;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.ServletWebServerFactoryAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A real Tomcat that is closed while it serves a request. */
class DrainTest {
    @Test
    void aRequestInFlightStillGetsAnIdWhileTheServerDrains() throws Exception {
        var context = (ServletWebServerApplicationContext) new SpringApplicationBuilder(Shop.class)
                .properties(
                        "server.port=0",
                        "server.shutdown=graceful",
                        "leafmint.segment.url=memory://${random.uuid}",
                        "leafmint.segment.tags.order.order=strict")
                .run();
        Shop shop = context.getBean(Shop.class);
        var request = HttpRequest.newBuilder(
                URI.create("http://localhost:" + context.getWebServer().getPort() + "/order"));
        var answer = HttpClient.newHttpClient().sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
        shop.inFlight.await();
        // The request goes on only once the close has begun.
        context.close();
        assertThat(answer.get()).returns(200, HttpResponse::statusCode).returns("1", HttpResponse::body);
    }

    @RestController
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        LeafmintAutoConfiguration.class,
        ServletWebServerFactoryAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class
    })
    static class Shop {
        private final CountDownLatch inFlight = new CountDownLatch(1);
        private final CountDownLatch closing = new CountDownLatch(1);
        private final Tag order;

        Shop(@Qualifier("order") Tag order) {
            this.order = order;
        }

        @GetMapping("/order")
        String order() throws InterruptedException {
            inFlight.countDown();
            closing.await();
            // Long enough for the close to reach the generator, if it did not wait for this request.
            Thread.sleep(300);
            return Long.toString(order.nextId());
        }

        @Bean
        ApplicationListener<ContextClosedEvent> closing() {
            return event -> closing.countDown();
        }
    }
}
