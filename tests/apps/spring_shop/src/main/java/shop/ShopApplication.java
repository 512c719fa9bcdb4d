package shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A shop: JPA, Spring Data JDBC and MyBatis-Plus on one data source, with ids from leafmint. */
@SpringBootApplication
public class ShopApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }
}
