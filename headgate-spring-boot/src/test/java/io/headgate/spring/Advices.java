package io.headgate.spring;

import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Those in an application who have a say in what becomes of an exception. */
@Import({Advices.Greedy.class, Advices.Own.class, Advices.Advised.class, Advices.OwnAdvice.class})
class Advices {

    /** Known bug H11: takes everything for its own but what is to show as an error; a denial is still a denial. */
    @RestControllerAdvice
    static class Greedy {

        @ExceptionHandler(RuntimeException.class)
        String other(RuntimeException thrown) {
            if (thrown instanceof IllegalStateException || thrown instanceof ErrorResponse) {
                throw thrown;
            }
            return "handled";
        }
    }

    /** Answers denials itself. */
    @RestController
    static class Own {

        @RateLimit(value = "0/h", key = "'all'")
        @GetMapping("/own/controller")
        public String controller() {
            return "ok";
        }

        @ExceptionHandler(RateLimitExceededException.class)
        @ResponseStatus(HttpStatus.FORBIDDEN)
        String denied() {
            return "own";
        }
    }

    /** Has them answered. */
    @RestController
    static class Advised {

        @RateLimit(value = "0/h", key = "'all'")
        @GetMapping("/own/advice")
        public String advice() {
            return "ok";
        }
    }

    @Order(0)
    @RestControllerAdvice(assignableTypes = Advised.class)
    static class OwnAdvice {

        @ExceptionHandler(RateLimitExceededException.class)
        @ResponseStatus(HttpStatus.FORBIDDEN)
        String denied() {
            return "own";
        }

        @ExceptionHandler(Exception.class)
        String other() {
            return "handled";
        }
    }
}
