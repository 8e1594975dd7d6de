/**
 * Who is limited: the address of a client behind proxies that are trusted, headers, principals, routes, and combinations.
 *
 * <p>May depend on the contracts of {@code io.headgate.http} and {@code io.headgate} only, and never looks up a name. Start
 * reading at {@link io.headgate.http.subject.StandardSubjects}, then {@code ClientAddress}.
 */
@NullMarked
package io.headgate.http.subject;

import org.jspecify.annotations.NullMarked;
