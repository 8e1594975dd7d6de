/**
 * Rules that are stored outside of the application, in a file or a database table, and polled for changes.
 *
 * <p>Depends on the contracts of {@code io.headgate.http} and on Spring. The syntax of rules is passed in as a
 * {@link io.headgate.spring.boot.source.RuleReader}. Start reading at {@link io.headgate.spring.boot.source.PolledRules}.
 */
@NullMarked
package io.headgate.spring.boot.source;

import org.jspecify.annotations.NullMarked;
