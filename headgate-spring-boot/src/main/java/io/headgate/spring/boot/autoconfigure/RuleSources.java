package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.TimeSource;
import io.headgate.http.Rule;
import io.headgate.http.RuleSource;
import io.headgate.spring.boot.source.PolledRules;
import io.headgate.spring.boot.source.RuleFile;
import io.headgate.spring.boot.source.RuleOrigin;
import io.headgate.spring.boot.source.RuleTable;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;

/** Creates the rule source of the application from the one place that its rules are configured in. */
final class RuleSources {

    private static final String FILE = "headgate.rule-file";
    private static final String TABLE = "headgate.rule-table";
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Pattern TABLE_NAME = Pattern.compile("\\w+(\\.\\w+){0,2}");

    private final HeadgateProperties properties;
    private final List<ConfiguredRule> rules;
    private final FailurePolicy usual;
    private final TimeSource time;
    private final BeanFactory beans;

    RuleSources(
            HeadgateProperties properties,
            List<ConfiguredRule> rules,
            FailurePolicy usual,
            TimeSource time,
            BeanFactory beans) {
        this.properties = properties;
        this.rules = rules;
        this.usual = usual;
        this.time = time;
        this.beans = beans;
    }

    RuleSource source() {
        HeadgateProperties.RuleFile file = properties.ruleFile();
        if (file != null) {
            return file(file);
        }
        HeadgateProperties.RuleTable table = properties.ruleTable();
        if (table != null) {
            return table(table);
        }
        List<Rule> written = rules.stream().map(each -> each.rule().rule(usual)).toList();
        return () -> written;
    }

    /** The places that the rules are configured in. */
    static List<String> places(HeadgateProperties properties, List<ConfiguredRule> rules) {
        List<String> places = new ArrayList<>();
        if (!rules.isEmpty()) {
            places.add("headgate.rules");
        }
        if (properties.ruleFile() != null) {
            places.add(FILE);
        }
        if (properties.ruleTable() != null) {
            places.add(TABLE);
        }
        return places;
    }

    private RuleSource file(HeadgateProperties.RuleFile file) {
        RuleFile origin = new RuleFile(path(file.location()), new WrittenRules(usual));
        return polled(
                FILE,
                FILE + ".location",
                file.location(),
                origin,
                file.pollInterval(),
                "Create a YAML file with headgate.rules at this path, and let this process read it.");
    }

    private static Path path(@Nullable String location) {
        try {
            if (location != null && !location.isBlank() && !location.startsWith("classpath:")) {
                return Path.of(location.startsWith("file:") ? location.substring("file:".length()) : location);
            }
        } catch (InvalidPathException e) {
            // reported like a missing path
        }
        throw new InvalidSettingException(
                FILE + ".location",
                location,
                "must be a path in the file system",
                "Set it to a path such as /etc/headgate/rules.yml, or configure the rules under headgate.rules.",
                null);
    }

    private RuleSource table(HeadgateProperties.RuleTable table) {
        if (!TABLE_NAME.matcher(table.name()).matches()) {
            throw new InvalidSettingException(
                    TABLE + ".name",
                    table.name(),
                    "must be a table name of letters, digits and underscores, with at most two dots",
                    "Set it to a name such as headgate_rule.",
                    null);
        }
        RuleTable origin = new RuleTable(database(table.dataSource()), table.name(), new WrittenRules(usual));
        return polled(
                TABLE,
                TABLE + ".name",
                table.name(),
                origin,
                table.pollInterval(),
                "Create " + table.name() + " and " + table.name() + "_version as the guide shows,"
                        + " and make sure that the database is running.");
    }

    private DataSource database(@Nullable String bean) {
        try {
            return bean == null ? beans.getBean(DataSource.class) : beans.getBean(bean, DataSource.class);
        } catch (BeansException e) {
            throw new InvalidSettingException(
                    TABLE + ".data-source",
                    bean,
                    "found no such DataSource bean, or several to choose from: " + e.getMessage(),
                    "Set it to the name of the DataSource bean of the database that contains the rules.",
                    e);
        }
    }

    private RuleSource polled(
            String group,
            String property,
            @Nullable Object value,
            RuleOrigin origin,
            Duration interval,
            String remedy) {
        if (interval.compareTo(SHORTEST) < 0) {
            throw new InvalidSettingException(
                    group + ".poll-interval",
                    interval,
                    "must be at least " + SHORTEST.toMillis() + "ms",
                    "Set it to how often to check the rules for changes, such as 5s.",
                    null);
        }
        try {
            return new PolledRules(property + " = " + value, origin, time, interval);
        } catch (IOException | SQLException e) {
            String problem = e instanceof NoSuchFileException ? "there is no such file" : "cannot be read: " + e;
            throw new InvalidSettingException(property, value, problem, remedy, e);
        }
    }
}
