package io.headgate.spring.method;

import io.headgate.spring.RateLimit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Fills in the placeholders in annotations, such as <code>${limits.orders}</code>.
 *
 * @param resolver returns the text with every placeholder filled in, or throws an exception if it cannot
 */
record Placeholders(UnaryOperator<String> resolver) {

    /** What a property of each attribute might be set to. */
    private static final Map<String, String> EXAMPLES = Map.of(
            "value", "10/min",
            "window", "60s",
            "algorithm", "sliding-window",
            "key", "#userId",
            "cost", "1",
            "rule", "api",
            "name", "orders",
            "fallback", "later");

    /**
     * The annotation with all placeholders filled in. A value with a placeholder may become several limits.
     *
     * @throws IllegalArgumentException if a property is missing
     */
    RateLimit fillIn(RateLimit written) {
        Map<String, Object> texts = new LinkedHashMap<>();
        texts.put("window", written.window());
        texts.put("algorithm", written.algorithm());
        texts.put("key", written.key());
        texts.put("cost", written.cost());
        texts.put("rule", written.rule());
        texts.put("name", written.name());
        texts.put("fallback", written.fallback());
        if (Stream.concat(texts.values().stream(), Arrays.stream(written.value()))
                .noneMatch(text -> isOpen((String) text))) {
            return written;
        }
        texts.replaceAll((attribute, text) -> filledIn(attribute, (String) text));
        texts.put("value", Arrays.stream(written.value()).flatMap(this::limits).toArray(String[]::new));
        texts.put("limit", written.limit());
        return MergedAnnotation.of(RateLimit.class, texts).synthesize();
    }

    private Stream<String> limits(String text) {
        return isOpen(text)
                ? Arrays.stream(filledIn("value", text).split(",", -1)).map(String::trim)
                : Stream.of(text);
    }

    private String filledIn(String attribute, String text) {
        if (!isOpen(text)) {
            return text;
        }
        try {
            return resolver.apply(text);
        } catch (PlaceholderResolutionException e) {
            String name = e.getPlaceholder();
            String example = EXAMPLES.getOrDefault(attribute, "");
            throw new IllegalArgumentException(
                    attribute + " '" + text + "' has the placeholder ${" + name + "}, which no property fills in; set "
                            + name + "=" + example + " for example, or give it a default: ${" + name + ":" + example
                            + "}",
                    e);
        }
    }

    private static boolean isOpen(String text) {
        return text.contains("${");
    }
}
