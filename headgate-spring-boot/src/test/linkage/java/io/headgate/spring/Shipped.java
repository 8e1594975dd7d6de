package io.headgate.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The class files that are shipped, and whether they link with the libraries on the class path. */
public final class Shipped {

    private final Map<String, URL> files = new TreeMap<>();

    /** Those below a folder, such as {@code io/headgate}. */
    public static Shipped below(String folder) {
        try {
            Shipped shipped = new Shipped();
            for (Resource each :
                    new PathMatchingResourcePatternResolver().getResources("classpath*:" + folder + "/**/*.class")) {
                String file = each.getURL().toString();
                if (!file.contains("/test-classes/") && !file.contains("/rig/") && !file.endsWith("-info.class")) {
                    String name = file.substring(file.lastIndexOf(folder + "/"), file.length() - ".class".length());
                    shipped.files.put(name.replace('/', '.'), each.getURL());
                }
            }
            return shipped;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Shipped() {}

    public Set<String> names() {
        return files.keySet();
    }

    /** The references that are not resolved, each behind the name of the class that has it. */
    public Set<String> missing() {
        Linkage linkage = new Linkage();
        Set<String> missing = new TreeSet<>();
        files.forEach((name, url) -> {
            try (InputStream file = url.openStream()) {
                linkage.missing(file).forEach(reference -> missing.add(name + ": " + reference));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return missing;
    }

    /**
     * What loading finds: what has become final; and what has become abstract is left open by a class that should implement it.
     *
     * @param elsewhere the names of the classes that need not load
     */
    public Set<String> open(Set<String> elsewhere) {
        Set<String> open = new TreeSet<>();
        for (String name : files.keySet()) {
            try {
                Class<?> type = Class.forName(name, false, Shipped.class.getClassLoader());
                if (!Modifier.isAbstract(type.getModifiers())) {
                    for (Method method : type.getMethods()) {
                        if (Modifier.isAbstract(method.getModifiers())) {
                            open.add(method.toString());
                        }
                    }
                }
            } catch (ClassNotFoundException | LinkageError e) {
                if (!elsewhere.contains(name)) {
                    open.add(name + ": " + e);
                }
            }
        }
        return open;
    }
}
