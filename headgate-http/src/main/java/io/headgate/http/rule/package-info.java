/**
 * Rule sets: patterns, their order, the trie that looks them up, the check of a whole set, and the set in force.
 *
 * <p>May depend on the contracts of {@code io.headgate.http} and {@code io.headgate} only. Start reading at
 * {@link io.headgate.http.rule.RuleCompiler}, then {@code Trie}.
 */
@NullMarked
package io.headgate.http.rule;

import org.jspecify.annotations.NullMarked;
