package io.headgate.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Lua file as lines, without its comments.
 *
 * @param whole the lines before the first section: all of them, if the file has no sections
 * @param sections the lines after each {@code --# name}, by name
 */
record LuaFile(List<String> whole, Map<String, List<String>> sections) {

    /** The file of that name among the resources. */
    static LuaFile load(String name) {
        try (InputStream in = LuaFile.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalArgumentException("there is no " + name + ".lua");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LuaFile parse(String text) {
        List<String> whole = new ArrayList<>();
        Map<String, List<String>> sections = new HashMap<>();
        List<String> lines = whole;
        for (String line : text.lines().toList()) {
            String code = line.strip();
            if (code.startsWith("--# ")) {
                lines = sections.computeIfAbsent(code.substring(4), missing -> new ArrayList<>());
            } else if (!code.isEmpty() && (!code.startsWith("--") || code.startsWith("--@ "))) {
                lines.add(line);
            }
        }
        return new LuaFile(whole, sections);
    }

    @Nullable
    List<String> section(String name) {
        return sections.get(name);
    }
}
