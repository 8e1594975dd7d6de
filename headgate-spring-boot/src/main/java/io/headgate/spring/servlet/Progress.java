package io.headgate.spring.servlet;

import io.headgate.http.Verdict;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * How far a request has come. Kept as one attribute, and never changed: after an include Spring puts back the attributes that were there
 * before, and with them what was known then.
 *
 * @param charged what the request was charged for at handlers; {@code null} if it has been at none
 * @param told what its client is told; {@code null} if nothing has limited it
 */
record Progress(@Nullable Charged charged, @Nullable Verdict told) {

    private static final String ATTRIBUTE = Progress.class.getName();
    private static final Progress NONE = new Progress(null, null);

    static Progress of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Progress known ? known : NONE;
    }

    Progress and(Charged charged) {
        return new Progress(charged, told);
    }

    /** This and what a later stage says. */
    Progress and(Verdict verdict) {
        if (verdict.decision() == null) {
            return this;
        }
        return new Progress(charged, told == null ? verdict : told.and(verdict));
    }

    void keep(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }
}
