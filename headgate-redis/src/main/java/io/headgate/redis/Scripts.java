package io.headgate.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Composes the script of a plan from the Lua files: one for each combination of algorithms, always the same to the byte.
 *
 * <p>The frame is {@code plan.lua}. A line {@code --@ name} stands for the section {@code --# name} of the algorithm's file, or
 * for the file of that name; {@code --@ file.section} for a section of another file. What lies between {@code --@ each} and
 * {@code --@ end} is written once for every limit: there {@code i} becomes the limit's place in the plan and every
 * {@code x_i} a variable of its own. So a script is one straight run of lines, with no table, closure or call per limit: those
 * would cost half as much again as all the rest.
 */
final class Scripts {

    /** With more limits a script would have more variables than a Lua function can. */
    static final int MOST_LIMITS = 8;

    /** In place of the id of an algorithm that is not scripted. */
    static final String OWN = "own";

    private static final Set<String> ALGORITHMS = Set.of(
            "token-bucket",
            "leaky-bucket",
            "fixed-window",
            "sliding-window-log",
            "sliding-window-counter",
            "sliding-window");

    private final Map<String, LuaFile> files = new ConcurrentHashMap<>();
    private final Map<List<Shape>, Script> composed = new ConcurrentHashMap<>();

    Scripts() {}

    /** The same scripts, with other lines in place of those that ask Redis for the time. For tests. */
    Scripts(String time) {
        files.put("time", LuaFile.parse(time));
    }

    /**
     * What a script depends on, of one limit.
     *
     * @param named whether it goes by a name: then its state says so, and one more argument is the name
     */
    record Shape(String algorithm, boolean named) {

        /** How many arguments the limit takes. */
        int arguments() {
            return (algorithm.equals(OWN) ? 7 : isBucket(algorithm) ? 3 : 2) + (named ? 1 : 0);
        }
    }

    /** Whether there is a script for the algorithm of that id. */
    static boolean know(String algorithm) {
        return ALGORITHMS.contains(algorithm);
    }

    /** Whether the algorithm of that id has a {@code Level} for its state. */
    static boolean isBucket(String algorithm) {
        return algorithm.equals("token-bucket") || algorithm.equals("leaky-bucket");
    }

    /** The script for limits of these shapes, in that order. */
    Script plan(List<Shape> shapes) {
        return composed.computeIfAbsent(List.copyOf(shapes), this::compose);
    }

    /** The script that is one file, with what it includes. */
    Script single(String name) {
        List<String> lines = new ArrayList<>();
        include(name, List.of(), "", lines);
        return new Script(String.join("\n", lines));
    }

    /** How many numbers a refund needs of a charge by that algorithm. */
    int stampSize(String algorithm) {
        String stamp = stamp(algorithm);
        return stamp.isEmpty() ? 0 : stamp.split(",", -1).length;
    }

    private Script compose(List<Shape> shapes) {
        List<Place> places = new ArrayList<>();
        int arguments = 0;
        for (Shape shape : shapes) {
            places.add(new Place(places.size() + 1, arguments, shape, file(shape.algorithm)));
            arguments += shape.arguments();
        }
        List<String> lines = new ArrayList<>();
        List<String> block = null;
        for (String line : file("plan").whole()) {
            if (line.equals("--@ each") || line.endsWith(" --@ each")) {
                block = new ArrayList<>();
            } else if (block != null && (line.equals("--@ end") || line.endsWith(" --@ end"))) {
                for (Place place : places) {
                    lines.addAll(place.bind(expand(block, List.of(place.file))));
                }
                block = null;
            } else {
                (block != null ? block : lines).add(line);
            }
        }
        String numbers = Stream.concat(
                        places.stream().map(place -> place.bind("remaining_i, wait_i, reset_i")),
                        places.stream().map(place -> place.bind(stamp(place.shape.algorithm))))
                .filter(list -> !list.isEmpty())
                .collect(Collectors.joining(", "));
        String text = String.join("\n", expand(lines, List.of()))
                .replace("$limits", Integer.toString(places.size()))
                .replace("$operations", Integer.toString(arguments + 1))
                .replace("$format", "'>d" + "d".repeat(numbers.split(",", -1).length) + "'")
                .replace("$numbers", numbers);
        return new Script(text);
    }

    /** The lines with everything in them that they include. */
    private List<String> expand(List<String> lines, List<LuaFile> scope) {
        List<String> out = new ArrayList<>();
        expand(lines, scope, "", out);
        return out;
    }

    private void expand(List<String> lines, List<LuaFile> scope, String indent, List<String> out) {
        for (String line : lines) {
            int at = line.indexOf("--@ ");
            if (at < 0) {
                out.add(indent + line);
            } else {
                include(line.substring(at + 4), scope, indent + line.substring(0, at), out);
            }
        }
    }

    private void include(String name, List<LuaFile> scope, String indent, List<String> out) {
        for (LuaFile file : scope) {
            List<String> section = file.section(name);
            if (section != null) {
                expand(section, scope, indent, out);
                return;
            }
        }
        int dot = name.indexOf('.');
        LuaFile file = file(dot < 0 ? name : name.substring(0, dot));
        List<String> lines = dot < 0 ? file.whole() : file.section(name.substring(dot + 1));
        expand(Objects.requireNonNull(lines, name), List.of(file), indent, out);
    }

    private String stamp(String algorithm) {
        return String.join("", expand(List.of("--@ stamp"), List.of(file(algorithm))));
    }

    private LuaFile file(String name) {
        return files.computeIfAbsent(name, LuaFile::load);
    }

    /**
     * A limit at its place in a script.
     *
     * @param arguments how many arguments come before its own
     */
    private record Place(int number, int arguments, Shape shape, LuaFile file) {

        List<String> bind(List<String> lines) {
            return lines.stream().map(this::bind).toList();
        }

        String bind(String line) {
            String name = shape.named ? "ARGV[" + (arguments + shape.arguments()) + "]" : "''";
            List<String> head = file.section("head");
            return line.replaceAll("\\bname_i\\b", name)
                    .replaceAll("\\bhead_i\\b", head == null ? "head_i" : head.get(0))
                    .replaceAll("\\barg_i\\b", Integer.toString(arguments))
                    .replaceAll("_i\\b", "_" + number)
                    .replaceAll("\\bi\\b", Integer.toString(number));
        }
    }
}
