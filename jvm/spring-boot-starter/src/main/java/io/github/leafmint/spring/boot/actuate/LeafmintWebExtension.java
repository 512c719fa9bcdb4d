package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.spring.boot.actuate.LeafmintFiles.WebFile;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The page and its document on a servlet container. */
@EndpointWebExtension(endpoint = LeafmintEndpoint.class)
class LeafmintWebExtension {
    private final LeafmintFiles files;

    LeafmintWebExtension(LeafmintFiles files) {
        this.files = files;
    }

    @ReadOperation(produces = {"text/html", "application/json"})
    public WebEndpointResponse<byte[]> file(@Selector String name) {
        WebFile file = files.read(name).join();
        if (file == null) {
            return null;
        }
        // An endpoint's answer has no headers of its own.
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request) {
            HttpServletResponse response = request.getResponse();
            if (response != null) {
                file.headers().forEach(response::setHeader);
            }
        }
        return file.answer();
    }
}
