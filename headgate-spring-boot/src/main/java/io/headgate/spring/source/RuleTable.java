package io.headgate.spring.source;

import io.headgate.http.InvalidRulesException;
import io.headgate.http.Rule;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.MapPropertySource;

/**
 * Rules in a database: a row for each, a column for each word, and a table of one row beside it that has the version.
 *
 * <p>The version is read before and after the rules, each time as it is then, and if it is another the rules are read again. So a
 * change that is made in one transaction is seen as a whole or not at all. A transaction around all of it would not do: what
 * "repeatable read" means for a table that was not looked at before differs between databases.
 */
public final class RuleTable implements RuleOrigin {

    private static final int PATIENCE_SECONDS = 10;
    private static final int ATTEMPTS = 3;

    private final DataSource database;
    private final String name;
    private final RuleReader reader;

    /** @param name of the table or view; with {@code _version} behind it, that of the one with the version */
    public RuleTable(DataSource database, String name, RuleReader reader) {
        this.database = database;
        this.name = name;
        this.reader = reader;
    }

    @Override
    public RuleEdition read(@Nullable RuleEdition known) throws SQLException {
        try (Connection connection = database.getConnection()) {
            boolean automatic = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                return read(connection, known);
            } finally {
                connection.setAutoCommit(automatic);
            }
        }
    }

    private RuleEdition read(Connection connection, @Nullable RuleEdition known) throws SQLException {
        String version = version(connection);
        for (int i = 0; i < ATTEMPTS; i++) {
            if (known != null && known.version().equals(version)) {
                return known;
            }
            List<Map<String, @Nullable String>> rows = rows(connection, name);
            String after = version(connection);
            if (after.equals(version)) {
                return new RuleEdition(version, () -> rules(rows));
            }
            version = after;
        }
        throw new SQLTransientException(name + " has changed again and again while it was read");
    }

    private String version(Connection connection) throws SQLException {
        List<Map<String, @Nullable String>> versions = rows(connection, name + "_version");
        String version = versions.size() == 1 ? versions.get(0).get("version") : null;
        if (version == null) {
            throw new SQLDataException(
                    name + "_version must have one row with a version, not " + versions.size() + " rows");
        }
        return version;
    }

    /** Every row of a table, by the names of its columns as words: small, and {@code -} for {@code _}. */
    private static List<Map<String, @Nullable String>> rows(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(PATIENCE_SECONDS);
            try (ResultSet result = statement.executeQuery("select * from " + table)) {
                List<Map<String, @Nullable String>> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(row(result));
                }
                return rows;
            }
        }
    }

    private static Map<String, @Nullable String> row(ResultSet result) throws SQLException {
        Map<String, @Nullable String> row = new LinkedHashMap<>();
        ResultSetMetaData columns = result.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            row.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT).replace('_', '-'), result.getString(i));
        }
        return row;
    }

    private List<Rule> rules(List<Map<String, @Nullable String>> rows) {
        refuseOtherColumns(rows);
        List<Map<String, @Nullable String>> byName = new ArrayList<>(rows);
        byName.sort(Comparator.comparing(row -> String.valueOf(row.get("name"))));
        Map<String, Object> written = new TreeMap<>();
        written.put(RuleReader.ROOT, "");
        for (int i = 0; i < byName.size(); i++) {
            String rule = RuleReader.ROOT + "[" + i + "].";
            byName.get(i).forEach((word, value) -> {
                if (value != null) {
                    written.put(rule + word, value);
                }
            });
        }
        return reader.read(new MapPropertySource(name, written));
    }

    private void refuseOtherColumns(List<Map<String, @Nullable String>> rows) {
        if (rows.isEmpty()) {
            return;
        }
        List<String> problems = rows.get(0).keySet().stream()
                .filter(column -> !reader.words().contains(column))
                .map(column -> "table " + name + ": column " + column.replace('-', '_') + " is no word of a rule; "
                        + "there are " + new TreeSet<>(reader.words()))
                .toList();
        if (!problems.isEmpty()) {
            throw new InvalidRulesException(problems);
        }
    }
}
