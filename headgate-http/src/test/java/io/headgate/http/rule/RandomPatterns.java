package io.headgate.http.rule;

import java.util.Random;

/** Patterns and paths out of few letters, so that they often match and more often nearly do. */
final class RandomPatterns {

    private static final String[] SEGMENTS = {
        "a",
        "b",
        "ab",
        "c",
        "*",
        "*",
        "**",
        "**",
        "?",
        "??",
        "a*",
        "*b",
        "a?",
        "*.b",
        "a*b*",
        "{x}",
        "{y}",
        "a{x}",
        "{x}.{y}",
        "***",
        "a**",
        "{x}*",
        ".*",
        "a.*",
        "\uD83D\uDE00"
    };
    private static final String[] WORDS = {
        "a", "b", "ab", "aab", "c", "a.b", "abb", ".b", "aa", "*", "?", "\uD83D\uDE00", "a\uD83D\uDE00", ""
    };

    private final Random random;

    RandomPatterns(Random random) {
        this.random = random;
    }

    String pattern() {
        return join(SEGMENTS, 5);
    }

    String path() {
        return join(WORDS, 6);
    }

    /** A path that has a fair chance to match the pattern. */
    String pathLike(String pattern) {
        StringBuilder path = new StringBuilder("/");
        for (String segment : pattern.substring(1).split("/", -1)) {
            int copies = segment.equals("**") ? random.nextInt(4) : random.nextInt(12) == 0 ? 2 : 1;
            for (int i = 0; i < copies; i++) {
                String word = segment.indexOf('*') < 0 && segment.indexOf('?') < 0 && segment.indexOf('{') < 0
                        ? segment
                        : random.nextBoolean()
                                ? WORDS[random.nextInt(WORDS.length)]
                                : segment.replaceAll("\\*|\\{\\w+}", random.nextBoolean() ? "b" : "")
                                        .replace('?', 'b');
                path.append(word).append(random.nextInt(20) == 0 ? "//" : "/");
            }
        }
        if (path.length() > 1 && random.nextInt(4) > 0) {
            path.setLength(path.length() - 1);
        }
        return path.toString();
    }

    private String join(String[] words, int most) {
        StringBuilder text = new StringBuilder("/");
        int count = random.nextInt(most);
        for (int i = 0; i < count; i++) {
            text.append(words[random.nextInt(words.length)]).append(random.nextInt(15) == 0 ? "//" : "/");
        }
        if (text.length() > 1 && random.nextInt(4) > 0) {
            text.setLength(text.length() - 1);
        }
        return text.toString();
    }
}
