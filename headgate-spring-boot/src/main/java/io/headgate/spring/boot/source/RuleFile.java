package io.headgate.spring.boot.source;

import io.headgate.http.InvalidRulesException;
import io.headgate.http.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * Rules in a YAML file. A change takes effect once two consecutive reads return the same content, since the file may be in the middle of
 * being written. The content is compared, because modification times are too coarse, and links to mounted volumes keep theirs.
 */
public final class RuleFile implements RuleOrigin {

    private final Path path;
    private final RuleReader reader;
    private @Nullable String seen;

    public RuleFile(Path path, RuleReader reader) {
        this.path = path;
        this.reader = reader;
    }

    @Override
    public RuleEdition read(@Nullable RuleEdition known) throws IOException {
        String text = Files.readString(path);
        boolean still = text.equals(seen);
        seen = text;
        if (known != null && (!still || text.equals(known.version()))) {
            return known;
        }
        return new RuleEdition(text, () -> rules(text));
    }

    private List<Rule> rules(String text) {
        List<PropertySource<?>> documents;
        try {
            documents = new YamlPropertySourceLoader()
                    .load(path.toString(), new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException | RuntimeException e) {
            throw new InvalidRulesException(List.of(path + " is not valid YAML: " + e.getMessage()));
        }
        if (documents.size() != 1) {
            throw new InvalidRulesException(
                    List.of(path + " must contain exactly one YAML document with " + RuleReader.ROOT + ", not "
                            + documents.size() + "; for no rules, write " + RuleReader.ROOT + ": []"));
        }
        return reader.read(documents.get(0));
    }
}
