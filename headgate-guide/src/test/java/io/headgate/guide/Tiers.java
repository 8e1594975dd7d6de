package io.headgate.guide;

import io.headgate.Plan;
import io.headgate.http.PlanResolver;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** More for some than for others. */
@Configuration(proxyBeanMethods = false)
class Tiers {

    /** Whom an application knows. */
    record Customers(Set<String> gold) {

        boolean isGold(String user) {
            return gold.contains(user);
        }
    }

    @Bean
    Customers customers() {
        return new Customers(ConcurrentHashMap.newKeySet());
    }

    // snippet
    @Bean
    PlanResolver contractOfUser(Customers customers) {
        return PlanResolver.of(user -> customers.isGold(user.value())
                ? Optional.of(Plan.parse("100/h"))
                : Optional.empty()); // the limits of the rule
    }
    // end

    // snippet
    @Bean
    PlanResolver planOfRole() {
        return PlanResolver.forEveryRequest(
                (user, request) -> request.nativeRequest() instanceof HttpServletRequest mvc && mvc.isUserInRole("GOLD")
                        ? Optional.of(Plan.parse("100/h"))
                        : Optional.empty());
    }
    // end
}
