/**
 * The pictures of the guide, drawn from decisions of the real algorithms. The snippets of its pages are this module's tests.
 *
 * <p>Start reading at {@link io.headgate.guide.WindowEdge}.
 */
@NullMarked
package io.headgate.guide;

import org.jspecify.annotations.NullMarked;
