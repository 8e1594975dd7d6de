package io.headgate.spring;

import java.util.ArrayList;
import java.util.List;

/** The properties of some rules, one after the other. */
public final class RuleLines {

    private final List<String> lines = new ArrayList<>();
    private int rules;

    /** One more rule, with {@code property=value} for what it says; by address and 2/h, unless it says otherwise. */
    public RuleLines rule(String name, String path, String... more) {
        String rule = "headgate.rules[" + rules++ + "].";
        lines.add(rule + "name=" + name);
        lines.add(rule + "path=" + path);
        if (List.of(more).stream().noneMatch(line -> line.startsWith("limits="))) {
            lines.add(rule + "limits=2/h");
        }
        for (String line : more) {
            lines.add(rule + line);
        }
        return this;
    }

    /** These properties and those of the rules. */
    public String[] and(String... others) {
        List<String> all = new ArrayList<>(lines);
        all.addAll(List.of(others));
        return all.toArray(String[]::new);
    }
}
