package io.headgate.spring.source;

import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Where rules are written down. */
@FunctionalInterface
public interface RuleOrigin {

    /** What is written there now: the known edition itself, if that is still it. */
    RuleEdition read(@Nullable RuleEdition known) throws IOException, SQLException;
}
