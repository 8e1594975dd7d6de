package io.headgate.guide;

import io.headgate.Plan;
import io.headgate.http.CostResolver;
import io.headgate.http.PlanResolver;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the rules of the pages call by name. */
@Configuration(proxyBeanMethods = false)
class Beans {

    // snippet
    @Bean
    SubjectResolver tenant() {
        return request -> request.attribute("tenant") instanceof String tenant ? Subject.of(tenant) : Subject.absent();
    }
    // end

    // snippet
    @Bean
    CostResolver exports() {
        return request -> request.path().endsWith("/export") ? 10 : 1;
    }

    @Bean
    PlanResolver contracts() {
        return PlanResolver.of(subject -> subject.value().startsWith("gold-")
                ? Optional.of(Plan.parse("1000/min"))
                : Optional.empty()); // the limits of the rule
    }
    // end

    // snippet
    @Bean
    PlanResolver exportsAreDear() {
        return PlanResolver.forEveryRequest(
                (subject, request) -> request.queryParameters("format").contains("pdf")
                        ? Optional.of(Plan.parse("5/min"))
                        : Optional.empty());
    }
    // end

    @Bean
    Quota quota() {
        return new Quota();
    }
}
