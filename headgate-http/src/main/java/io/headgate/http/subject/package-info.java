/**
 * Who is limited: the address of a client behind trusted proxies, headers, principals, routes, and combinations of them.
 *
 * <p>May depend on the contracts of {@code io.headgate.http} and {@code io.headgate} only, and never looks up a host name. Start
 * reading at {@link io.headgate.http.subject.StandardSubjects}, then {@code ClientAddress}.
 */
@NullMarked
package io.headgate.http.subject;

import org.jspecify.annotations.NullMarked;
