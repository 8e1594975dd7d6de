package io.headgate.spring.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where rules come from that are not written in the application's own configuration.
 *
 * @param location a YAML or properties file with rules, watched for changes
 * @param jdbc rules in tables of the application's database
 */
@ConfigurationProperties("headgate.rules")
public record RuleSourceProperties(
        @Nullable String location, @DefaultValue Jdbc jdbc) {

    /**
     * Rules in tables of the application's database.
     *
     * @param enabled whether rules are read from there
     * @param poll how often they are asked for
     * @param table the table of the rules
     * @param versionTable the table whose one row tells versions of the rules apart
     */
    public record Jdbc(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("10s") Duration poll,
            @DefaultValue("headgate_rule") String table,
            @DefaultValue("headgate_version") String versionTable) {}
}
