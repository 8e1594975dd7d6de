/** An application to try Headgate with: endpoints, a rule for each, and a page that shows what they answer. */
@NullMarked
package io.headgate.demo;

import org.jspecify.annotations.NullMarked;
