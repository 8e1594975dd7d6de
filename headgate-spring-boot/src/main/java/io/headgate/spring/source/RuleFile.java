package io.headgate.spring.source;

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
 * Rules in a YAML file. What has changed is taken when it has stood still from one reading to the next, since somebody may be
 * writing. The content is compared: times of modification are too coarse, and links to mounted volumes keep theirs.
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
            throw new InvalidRulesException(List.of(path + " is not YAML: " + e.getMessage()));
        }
        if (documents.size() != 1) {
            throw new InvalidRulesException(List.of(path + " must have one document with " + RuleReader.ROOT + ", not "
                    + documents.size() + "; rules: [] is none"));
        }
        return reader.read(documents.get(0));
    }
}
