package io.headgate.spring.servlet;

import io.headgate.spring.Progress;
import jakarta.servlet.ServletRequest;

/**
 * The {@link Progress} of a request from dispatch to dispatch. It is kept behind one attribute that is set once: after an include Spring
 * takes away the attributes that were set within it and puts back those that were there before, and what was charged within is to be
 * remembered. Where nothing was known before the include, nothing is known after it.
 */
final class Trail {

    private Progress progress;

    private Trail(Progress progress) {
        this.progress = progress;
    }

    /** How far that request has come. */
    static Progress of(ServletRequest request) {
        return request.getAttribute(Progress.ATTRIBUTE) instanceof Trail trail ? trail.progress : Progress.of(null);
    }

    /** Remembers how far it has come now. */
    static void keep(Progress now, ServletRequest request) {
        if (request.getAttribute(Progress.ATTRIBUTE) instanceof Trail trail) {
            trail.progress = now;
        } else {
            request.setAttribute(Progress.ATTRIBUTE, new Trail(now));
        }
    }
}
