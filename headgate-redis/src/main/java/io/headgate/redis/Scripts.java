package io.headgate.redis;

import java.util.ArrayList;
import java.util.HashMap;
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
 * <p>The frame is {@code plan.lua}. A line {@code --@ name} includes the section {@code --# name} of the algorithm's file, or the
 * file of that name. A line {@code --@ file.section} includes a section of another file; includes in that section are looked up in
 * the algorithm's file first, then in the other file. The lines between {@code --@ each} and {@code --@ end} are repeated for every
 * limit, those between {@code --@ told} and {@code --@ end} for every limit whose algorithm is not scripted: in them {@code i}
 * becomes the limit's place in the plan and every {@code x_i} a variable of its own. So a script is one straight sequence of lines,
 * with no table, closure or call per limit: those would cost half as much again as all the rest.
 */
final class Scripts {

    /** With more limits a script would have more local variables than a Lua function can. */
    static final int MOST_LIMITS = 8;

    /** Replaces the id of an algorithm that is not scripted. */
    static final String OWN = "own";

    /** Replaces the id of a fixed window that is one of a calendar. */
    static final String CALENDAR = "calendar-window";

    private static final Set<String> ALGORITHMS = Set.of(
            "token-bucket",
            "leaky-bucket",
            "fixed-window",
            "sliding-window-log",
            "sliding-window-counter",
            "sliding-window");

    /** The files that scripts are composed of, besides those of the algorithms. */
    private static final Set<String> PARTS =
            Set.of("plan", "time", "wide", "level", "identify", CALENDAR, OWN, "own-states");

    private final Map<String, LuaFile> files = new HashMap<>();
    private final Map<List<Shape>, Script> composed = new ConcurrentHashMap<>();

    /** Reads all files now, since the first use of a plan may be on a thread that must not wait for a disk. */
    Scripts() {
        ALGORITHMS.forEach(name -> files.put(name, LuaFile.load(name)));
        PARTS.forEach(name -> files.put(name, LuaFile.load(name)));
    }

    /** The same scripts, with other lines in place of those that ask Redis for the time. For tests. */
    Scripts(String time) {
        this();
        files.put("time", LuaFile.parse(time));
    }

    /**
     * The properties of one limit that its script depends on.
     *
     * @param named whether the limit has a name: then its state contains the name, and an argument passes it
     */
    record Shape(String algorithm, boolean named) {

        /** How many arguments of its own the limit takes. */
        int arguments() {
            return (algorithm.equals(OWN) ? CustomAlgorithmState.ARGUMENTS : 0) + (named ? 1 : 0);
        }
    }

    /** Whether there is a script for the algorithm of that id. */
    static boolean know(String algorithm) {
        return ALGORITHMS.contains(algorithm);
    }

    /** Whether the state of the algorithm of that id is a {@code Level}. */
    static boolean isBucket(String algorithm) {
        return algorithm.equals("token-bucket") || algorithm.equals("leaky-bucket");
    }

    /** The script for limits of these shapes, in that order. */
    Script plan(List<Shape> shapes) {
        return composed.computeIfAbsent(List.copyOf(shapes), this::compose);
    }

    /** The script that consists of one file and its includes. */
    Script single(String name) {
        List<String> lines = new ArrayList<>();
        include(name, List.of(), "", lines);
        return new Script(String.join("\n", lines));
    }

    private Script compose(List<Shape> shapes) {
        List<Place> places = new ArrayList<>();
        int arguments = 1;
        for (Shape shape : shapes) {
            places.add(new Place(places.size() + 1, arguments, shape, file(shape.algorithm)));
            arguments += shape.arguments();
        }
        List<Place> told = places.stream()
                .filter(place -> place.shape.algorithm.equals(OWN))
                .toList();
        List<String> lines = new ArrayList<>();
        List<String> block = null;
        List<Place> where = places;
        for (String line : file("plan").whole()) {
            String code = line.strip();
            if (code.equals("--@ each") || code.equals("--@ told")) {
                block = new ArrayList<>();
                where = code.equals("--@ each") ? places : told;
            } else if (block != null && code.equals("--@ end")) {
                for (Place place : where) {
                    lines.addAll(place.bind(expand(block, List.of(place.file))));
                }
                block = null;
            } else {
                (block != null ? block : lines).add(line);
            }
        }
        if (lines.stream().noneMatch(line -> line.contains("divide("))) {
            lines.remove("--@ wide"); // else Lua would create an unused function with every call
        }
        String given = places.stream()
                .map(place -> place.bind(section(place.shape.algorithm, "numbers")))
                .collect(Collectors.joining(", "));
        String tells = told.stream()
                .map(place -> place.bind("remaining_i, wait_i, reset_i"))
                .collect(Collectors.joining(", "));
        String states = places.stream()
                .filter(place -> !told.contains(place))
                .map(place -> place.bind("state_i"))
                .collect(Collectors.joining(" .. "));
        String text = String.join("\n", expand(lines, List.of()))
                .replace("$limits", Integer.toString(places.size()))
                .replace("$arguments", Integer.toString(arguments))
                .replace("$given", format(given + ", cost"))
                .replace("$numbers", given)
                .replace("  $tell\n", tells.isEmpty() ? "" : tell(tells));
        return new Script(text.replace(
                "$states",
                Stream.of(states, text.contains("told = told") ? "told" : "")
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(" .. "))));
    }

    private static String tell(String numbers) {
        return "  told = told .. struct.pack(" + format("delay, " + numbers) + ", delay, " + numbers + ")\n";
    }

    private static List<String> numbers(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split(", ", -1));
    }

    private static String format(String list) {
        return "'>" + "d".repeat(numbers(list).size()) + "'";
    }

    /** The lines with all includes expanded. */
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
        List<LuaFile> inside = Stream.concat(scope.stream(), Stream.of(file)).toList();
        expand(Objects.requireNonNull(lines, name), inside, indent, out);
    }

    private String section(String algorithm, String name) {
        return String.join("", expand(List.of("--@ " + name), List.of(file(algorithm))));
    }

    private LuaFile file(String name) {
        return Objects.requireNonNull(files.get(name), name);
    }

    /**
     * A limit at its place in a script.
     *
     * @param arguments how many arguments come before those of its own
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
