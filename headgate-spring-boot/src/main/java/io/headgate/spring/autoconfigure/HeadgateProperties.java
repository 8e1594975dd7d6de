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
 * @param enabled whether anything is limited at all
 * @param store where the counts are kept; memory, unless headgate-redis and a Lettuce connection are there
 * @param maxKeys how many keys are held in memory at most
 * @param onStoreFailure what becomes of a request when the store cannot answer and its rule does not say
 * @param instances how many instances share the store: each grants that part of a limit by itself while the store fails
 * @param guard how long a check waits for the store, and when it is left alone
 * @param trustedProxies addresses, single or in blocks such as 10.0.0.0/8, whose word is taken for who the client is
 * @param forwardedHeader the one header they append the client's address to
 * @param ipv6Prefix how many bits of an IPv6 address name a client
 * @param headers the families of headers that responses carry
 * @param filterOrder the order of the filter for rules in the filter stage; Spring Security comes at -100
 * @param ignoreCase whether paths are the same in upper and lower case, which they must be where handlers are found so
 * @param rules which requests are limited, and how
 * @param ruleFile the file that the rules stand in instead
 * @param ruleTable the table of a database that the rules stand in instead
 * @param redis how the counts are kept in Redis
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
     * @param deadline how long a check waits for the store
     * @param callsInFlight how many calls to the store may be unanswered at a time
     * @param failures how many of the last ten calls must fail for the store to be left alone
     * @param openFor how long it is left alone, until one call finds out whether it is back
     * @param openGrace how long a store may fail before "open" turns into "local"; never, unless said
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
     * @param location the path of a YAML file with headgate.rules and nothing else
     * @param pollInterval how often it is read
     */
    public record RuleFile(
            @Nullable String location, @DefaultValue("5s") Duration pollInterval) {}

    /**
     * A table with rules, watched for changes. Beside it is one of the same name and _version.
     *
     * @param name of the table or view
     * @param dataSource the name of the DataSource bean, if there are several
     * @param pollInterval how often the version is read
     */
    public record RuleTable(
            @DefaultValue("headgate_rule") String name,
            @Nullable String dataSource,
            @DefaultValue("5s") Duration pollInterval) {}

    /**
     * How the counts are kept in Redis.
     *
     * @param keyPrefix what all keys start with; no braces
     * @param keySecret names of keys are derived from it, so that nobody without it can guess whose they are
     * @param timeout how long Redis may owe an answer before the connection is given up
     * @param aheadFor how long before they are asked for permits of a busy key may be taken; 0 for not at all
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
