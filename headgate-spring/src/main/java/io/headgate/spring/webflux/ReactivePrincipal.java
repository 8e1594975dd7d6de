package io.headgate.spring.webflux;

import java.security.Principal;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Looks up the users of exchanges. A principal that Spring Security has not authenticated, such as an anonymous one, is no user. */
final class ReactivePrincipal {

    private static final boolean SPRING_SECURITY = ClassUtils.isPresent(
            "org.springframework.security.authentication.AuthenticationTrustResolver",
            ReactivePrincipal.class.getClassLoader());

    private ReactivePrincipal() {}

    /** The user of that exchange; empty if there is none. */
    static Mono<Principal> of(ServerWebExchange exchange) {
        return exchange.getPrincipal().filter(user -> !SPRING_SECURITY || SpringSecurity.knows(user));
    }

    /** Loaded only if Spring Security is present. */
    private static final class SpringSecurity {

        private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

        static boolean knows(Principal user) {
            return !(user instanceof Authentication claim) || TRUST.isAuthenticated(claim);
        }
    }
}
