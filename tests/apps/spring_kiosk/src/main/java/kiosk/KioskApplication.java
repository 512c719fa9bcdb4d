package kiosk;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;

/** A kiosk: a program of its own, and a WAR for a server. */
@SpringBootApplication
public class KioskApplication extends SpringBootServletInitializer {
    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder application) {
        return application.sources(KioskApplication.class);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(KioskApplication.class, arguments);
    }
}
