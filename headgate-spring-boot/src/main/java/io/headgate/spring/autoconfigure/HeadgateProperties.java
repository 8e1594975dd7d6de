package io.headgate.spring.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.http.response.HeaderFamily;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What can be said under {@code headgate}.
 *
 * @param enabled Whether anything is limited at all.
 * @param store Where the counts are kept; unless said, in Redis if headgate-redis and a Lettuce connection are there, else in memory.
 * @param maxKeys How many keys are held in memory at most; beyond that new ones share a few budgets.
 * @param onStoreFailure What becomes of a request when the store cannot answer and its rule does not say.
 * @param instances How many instances share the store; each grants that part of a limit by itself while the store fails.
 * @param guard How long a check waits for the store, and when the store is left alone.
 * @param trustedProxies Proxies that are believed about the address of a client, single or in blocks such as 10.0.0.0/8.
 * @param forwardedHeader The one header that trusted proxies append the address of a client to.
 * @param ipv6Prefix How many bits of an IPv6 address name a client.
 * @param headers The families of headers that responses carry.
 * @param filterOrder The order of the filter for rules with "stage: filter"; Spring Security comes at -100.
 * @param ignoreCase Whether rules match paths in upper and lower case alike, as they must where handlers do.
 * @param rules Which requests are limited, and how.
 * @param ruleFile A file that the rules stand in instead.
 * @param ruleTable A table of a database that the rules stand in instead.
 * @param redis How the counts are kept in Redis.
 */
@ConfigurationProperties("headgate")
public record HeadgateProperties(
        @DefaultValue("true") Boolean enabled,
        @Nullable StoreKind store,
        @DefaultValue("1000000") int maxKeys,
        @DefaultValue("local") FailurePolicy onStoreFailure,
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
        @Nullable RuleFile ruleFile,
        @Nullable RuleTable ruleTable,
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
     * @param deadline How long a check waits for the store.
     * @param callsInFlight How many calls to the store may be unanswered at a time; beyond that requests do without it.
     * @param failures How many of the last ten calls to the store must fail for it to be left alone.
     * @param openFor How long a failing store is left alone until one call finds out whether it is back.
     * @param openGrace How long the store may fail before "open" turns into "local"; never, unless said.
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
     * @param location The path of a YAML file with headgate.rules and nothing else.
     * @param pollInterval How often the file with the rules is read.
     */
    public record RuleFile(
            @Nullable String location, @DefaultValue("5s") Duration pollInterval) {}

    /**
     * A table with rules, watched for changes. Beside it is one of the same name and _version.
     *
     * @param name The table or view that the rules stand in; beside it is one of the same name and _version.
     * @param dataSource The name of the DataSource bean that the table is read through, if there are several.
     * @param pollInterval How often the version of the rules is read.
     */
    public record RuleTable(
            @DefaultValue("headgate_rule") String name,
            @Nullable String dataSource,
            @DefaultValue("5s") Duration pollInterval) {}

    /**
     * How the counts are kept in Redis.
     *
     * @param keyPrefix What all keys in Redis start with; no braces.
     * @param keySecret A secret that names of keys are derived from, so that nobody without it can find out whose they are.
     * @param timeout How long Redis may owe an answer before the connection is given up.
     * @param aheadFor How long before they are asked for permits of a busy key may be taken; 0 for not at all.
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
