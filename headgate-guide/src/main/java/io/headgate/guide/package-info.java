/**
 * Draws the pictures of the guide from decisions of the real algorithms. The snippets on the guide's pages are tests of this module.
 *
 * <p>Start reading at {@link io.headgate.guide.WindowEdge}.
 */
@NullMarked
package io.headgate.guide;

import org.jspecify.annotations.NullMarked;
