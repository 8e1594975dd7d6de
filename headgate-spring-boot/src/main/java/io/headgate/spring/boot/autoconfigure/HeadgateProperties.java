package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.http.response.HeaderFamily;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code headgate}.
 *
 * @param enabled Whether rate limiting is enabled.
 * @param store Where counts are kept; by default in Redis if headgate-redis and a Lettuce connection are present, else in memory.
 * @param maxKeys Maximum number of keys held in memory; beyond that, new keys share a few overflow budgets.
 * @param onStoreFailure What happens to a request when the store cannot answer and its rule does not say.
 * @param algorithm Algorithm of limits that leave the choice open, in rules and annotations that name none.
 * @param instances Number of instances that share the store; while the store fails, each grants its share of a limit.
 * @param guard How long a check waits for the store, and when the circuit breaker opens.
 * @param trustedProxies Proxies trusted to report the client address, as addresses or blocks such as 10.0.0.0/8.
 * @param forwardedHeader The one header in which trusted proxies report the client address.
 * @param ipv6Prefix Number of leading bits of an IPv6 address that identify a client.
 * @param headers Header families to send with limited responses.
 * @param filterOrder Order of the filter that checks rules with "stage: filter"; Spring Security runs at -100.
 * @param ignoreCase Whether rules ignore the case of paths, as they must if handlers do.
 * @param rules The rules: which requests are limited, and how.
 * @param clients The clients: what is sent to which hosts, and how much of it.
 * @param ruleFile A file to read the rules from instead.
 * @param ruleTable A database table to read the rules from instead.
 * @param denialLog The log of denials.
 * @param redis How counts are kept in Redis.
 */
@ConfigurationProperties("headgate")
public record HeadgateProperties(
        @DefaultValue("true") Boolean enabled,
        @Nullable StoreKind store,
        @DefaultValue("1000000") int maxKeys,
        @DefaultValue("local") FailurePolicy onStoreFailure,
        @DefaultValue(Limit.DEFAULT_ALGORITHM) String algorithm,
        @Nullable Integer instances,
        @DefaultValue Guard guard,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue("X-Forwarded-For") String forwardedHeader,
        @DefaultValue("64") int ipv6Prefix,

        @DefaultValue({"rate-limit", "x-rate-limit", "retry-after"})
        Set<HeaderFamily> headers,

        @DefaultValue("-200") int filterOrder,
        @DefaultValue("false") boolean ignoreCase,
        @DefaultValue List<RuleProperties> rules,
        @DefaultValue List<ClientProperties> clients,
        @Nullable RuleFile ruleFile,
        @Nullable RuleTable ruleTable,
        @DefaultValue DenialLog denialLog,
        @DefaultValue Redis redis) {

    /** Where the counts are kept. */
    public enum StoreKind {
        /** By each instance for itself. */
        MEMORY,
        /** Shared by all instances. */
        REDIS
    }

    /**
     * What stands before a store that can fail.
     *
     * @param deadline Maximum time that a check waits for the store.
     * @param callsInFlight Maximum number of unanswered calls to the store; beyond that, requests are decided without it.
     * @param failures Number of the last ten calls that must fail for the circuit breaker to open.
     * @param openFor How long the circuit breaker stays open before one call probes the store.
     * @param openGrace How long the store may fail before "open" turns into "local"; unlimited by default.
     */
    public record Guard(
            @DefaultValue("100ms") Duration deadline,
            @DefaultValue("1024") int callsInFlight,
            @DefaultValue("5") int failures,
            @DefaultValue("500ms") Duration openFor,
            @Nullable Duration openGrace) {}

    /**
     * A file with rules, watched for changes.
     *
     * @param location Path of a YAML file that contains headgate.rules and nothing else.
     * @param pollInterval How often to check the rule file for changes.
     */
    public record RuleFile(
            @Nullable String location, @DefaultValue("5s") Duration pollInterval) {}

    /**
     * A table with rules, watched for changes. Beside it is one of the same name and _version.
     *
     * @param name Table or view to read the rules from; a table of the same name with the suffix _version belongs to it.
     * @param dataSource Name of the DataSource bean to read the table through, if there are several.
     * @param pollInterval How often to check the version of the rules for changes.
     */
    public record RuleTable(
            @DefaultValue("headgate_rule") String name,
            @Nullable String dataSource,
            @DefaultValue("5s") Duration pollInterval) {}

    /**
     * The log of denials, under the logger io.headgate.denials.
     *
     * @param enabled Whether denials are logged, with the subject as a hash.
     * @param perSecond Maximum number of denials logged per second; each line says how many were left out before it.
     * @param secret Secret for hashing subjects, so that instances hash alike; random at each start by default.
     */
    public record DenialLog(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("10") int perSecond,
            @Nullable String secret) {

        /** Without the secret. */
        @Override
        public String toString() {
            return "DenialLog[enabled=" + enabled + ", perSecond=" + perSecond + "]";
        }
    }

    /**
     * How the counts are kept in Redis.
     *
     * @param keyPrefix Prefix of all keys in Redis; must not contain braces.
     * @param keySecret Secret for naming keys by HMAC, so that nobody without it can find out whose they are.
     * @param timeout How long an operation on Redis may take, from the moment it is requested.
     * @param aheadFor How long in advance permits of busy keys may be taken; 0 disables it.
     */
    public record Redis(
            @DefaultValue("rl:") String keyPrefix,
            @Nullable String keySecret,
            @DefaultValue("1s") Duration timeout,
            @DefaultValue("0") Duration aheadFor) {

        /** Without the secret. */
        @Override
        public String toString() {
            return "Redis[keyPrefix=" + keyPrefix + ", timeout=" + timeout + ", aheadFor=" + aheadFor + "]";
        }
    }
}
