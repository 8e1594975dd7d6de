package io.headgate.demo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** One instance of the application, on port 8083 unless told otherwise. The limits are in {@code application.yaml}. */
@SpringBootApplication
public class Demo {

    public static void main(String[] arguments) {
        SpringApplication.run(Demo.class, arguments);
    }
}
