package io.headgate.spring.boot.source;

import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A place outside of the application where rules are stored, such as a file or a table. */
@FunctionalInterface
public interface RuleOrigin {

    /** Reads the current edition; returns {@code known} itself if it is still current. */
    RuleEdition read(@Nullable RuleEdition known) throws IOException, SQLException;
}
