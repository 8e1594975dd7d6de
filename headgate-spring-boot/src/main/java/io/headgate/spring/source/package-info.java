/**
 * Rules that are written down outside of the application: in a file, in a table, looked at again and again.
 *
 * <p>Depends on the contracts of {@code io.headgate.http} and on Spring; what a rule looks like is handed in as a
 * {@link io.headgate.spring.source.RuleReader}. Start reading at {@link io.headgate.spring.source.PolledRules}.
 */
@NullMarked
package io.headgate.spring.source;

import org.jspecify.annotations.NullMarked;
