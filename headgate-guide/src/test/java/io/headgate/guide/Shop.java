package io.headgate.guide;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The application that tests of the pages find. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(Hello.class)
class Shop {}
