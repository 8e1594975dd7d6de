/**
 * Rate limits for HTTP requests: rules, subjects, and the gate that checks every request.
 *
 * <p>May depend on the contracts of {@code io.headgate} only, on no framework and on none of its sub-packages.
 * Start reading at {@link io.headgate.http.Gate}, then {@link io.headgate.http.Rule}.
 */
@NullMarked
package io.headgate.http;

import org.jspecify.annotations.NullMarked;
