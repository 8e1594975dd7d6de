package io.headgate.spring.boot.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Stops the start-up on a line of Spring Boot that cannot work, before a class is missing or, on an old line, nothing is limited because
 * it does not know how auto-configurations are listed now. So this uses only what Spring Boot 2 has, too.
 */
final class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

    private static final Pattern LINE = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\b.*");

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (ConditionalOnEnabled.Enabled.isEnabled(context.getEnvironment())) {
            check(SpringBootVersion.getVersion());
        }
    }

    /** @param version such as {@code 4.1.1}; one that cannot be read is not objected to */
    static void check(@Nullable String version) {
        Matcher line = LINE.matcher(version == null ? "" : version);
        if (line.matches() && !works(Integer.parseInt(line.group(1)), Integer.parseInt(line.group(2)))) {
            throw new InvalidSettingException(
                    "Spring Boot",
                    version,
                    "Headgate runs with Spring Boot 3.5, 4.0 and 4.1",
                    "Use one of these lines of Spring Boot, for example 4.1; or a version of Headgate for yours; or set"
                            + " headgate.enabled=false, and nothing is limited.",
                    null);
        }
    }

    /** A later 4.x is not known to work, but there is no reason why it should not. */
    private static boolean works(int major, int minor) {
        return major == 4 || (major == 3 && minor >= 5);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
