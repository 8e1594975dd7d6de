package io.headgate.spring;

import io.headgate.http.RuleSet;
import java.util.function.Supplier;

/** The rules in force. Asked once for each request, so the answer must be at hand. */
@FunctionalInterface
public interface RuleStore extends Supplier<RuleSet> {}
