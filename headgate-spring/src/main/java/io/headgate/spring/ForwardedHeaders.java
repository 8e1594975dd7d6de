package io.headgate.spring;

/** The headers in which proxies report where a request came from. They are read as they arrived, whatever a filter made of them. */
public final class ForwardedHeaders {

    private static final String WORD = "forwarded";

    private ForwardedHeaders() {}

    /** Whether a header of that name is one of them. */
    public static boolean isOne(String name) {
        for (int i = name.length() - WORD.length(); i >= 0; i--) {
            if (name.regionMatches(true, i, WORD, 0, WORD.length())) {
                return true;
            }
        }
        return false;
    }
}
