/** A demo application for Headgate: endpoints, rules for them, and a page that shows their responses. */
@NullMarked
package io.headgate.demo;

import org.jspecify.annotations.NullMarked;
