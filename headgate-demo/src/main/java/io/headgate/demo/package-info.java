/**
 * The runnable application: one limited endpoint and one that is not.
 *
 * <p>May depend on everything. Start reading at {@link io.headgate.demo.Demo}.
 */
@NullMarked
package io.headgate.demo;

import org.jspecify.annotations.NullMarked;
