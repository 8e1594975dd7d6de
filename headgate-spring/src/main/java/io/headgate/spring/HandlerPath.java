package io.headgate.spring;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;

/** The path of a request in the form that Spring matches handlers with. Rules are matched with the same path. */
public final class HandlerPath {

    private HandlerPath() {}

    /** The path within the application, decoded. A slash that was sent encoded stays part of its segment and separates nothing. */
    public static String of(RequestPath parsed) {
        PathContainer within = parsed.pathWithinApplication();
        String sent = within.value();
        return sent.indexOf('%') < 0 && sent.indexOf(';') < 0 ? sent : decoded(within);
    }

    private static String decoded(PathContainer parsed) {
        StringBuilder path = new StringBuilder(64);
        for (PathContainer.Element element : parsed.elements()) {
            if (element instanceof PathContainer.PathSegment segment) {
                String value = segment.valueToMatch();
                path.append(value.indexOf('/') < 0 ? value : value.replace("/", "%2F"));
            } else {
                path.append(element.value());
            }
        }
        return path.toString();
    }
}
