/**
 * Limits for requests over HTTP: what a rule is, who is limited, and the one pass that every request makes.
 *
 * <p>May depend on the contracts of {@code io.headgate} only, knows no framework and looks at none of its sub-packages.
 * Start reading at {@link io.headgate.http.Gate}, then {@link io.headgate.http.Rule}.
 */
@NullMarked
package io.headgate.http;

import org.jspecify.annotations.NullMarked;
