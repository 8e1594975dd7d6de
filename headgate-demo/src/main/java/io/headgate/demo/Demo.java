package io.headgate.demo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Runs one instance of the application, on port 8083 by default. The limits are in {@code application.yaml}. */
@SpringBootApplication
public class Demo {

    public static void main(String[] arguments) {
        SpringApplication.run(Demo.class, arguments);
    }
}
