package io.headgate.spring.boot.source;

import io.headgate.Spelling;
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
 * Rules in a database table: a row for each rule, a column for each property, and a second table of one row with the version.
 *
 * <p>The version is read before and after the rules, each time as last committed. If it has changed in between, the rules are read
 * again. So a change that is made in one transaction is seen as a whole or not at all. Reading everything in one transaction would not
 * suffice: databases differ in what "repeatable read" means for a table that the transaction has not read before.
 */
public final class RuleTable implements RuleOrigin {

    private static final int PATIENCE_SECONDS = 10;
    private static final int ATTEMPTS = 3;

    private final DataSource database;
    private final String name;
    private final RuleReader reader;

    /** @param name the name of the table or view; with the suffix {@code _version}, that of the table with the version */
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
            Content content = content(connection, name);
            String after = version(connection);
            if (after.equals(version)) {
                return new RuleEdition(version, () -> rules(content));
            }
            version = after;
        }
        throw new SQLTransientException(name + " changed during each of " + ATTEMPTS + " attempts to read it");
    }

    private String version(Connection connection) throws SQLException {
        List<Map<String, @Nullable String>> versions =
                content(connection, name + "_version").rows();
        String version = versions.size() == 1 ? versions.get(0).get("version") : null;
        if (version == null) {
            throw new SQLDataException(
                    name + "_version must have exactly one row, with a version that is not null; rows found: "
                            + versions.size());
        }
        return version;
    }

    /**
     * What is in a table.
     *
     * @param columns their names in the spelling of properties: lower case, with {@code -} for {@code _}
     * @param rows each by column name
     */
    private record Content(List<String> columns, List<Map<String, @Nullable String>> rows) {}

    private static Content content(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(PATIENCE_SECONDS);
            try (ResultSet result = statement.executeQuery("select * from " + table)) {
                List<String> columns = columns(result.getMetaData());
                List<Map<String, @Nullable String>> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(row(result, columns));
                }
                return new Content(columns, rows);
            }
        }
    }

    private static List<String> columns(ResultSetMetaData data) throws SQLException {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= data.getColumnCount(); i++) {
            columns.add(data.getColumnLabel(i).toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        return columns;
    }

    private static Map<String, @Nullable String> row(ResultSet result, List<String> columns) throws SQLException {
        Map<String, @Nullable String> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            row.put(columns.get(i), result.getString(i + 1));
        }
        return row;
    }

    private List<Rule> rules(Content content) {
        rejectOtherColumns(content.columns());
        List<Map<String, @Nullable String>> byName = new ArrayList<>(content.rows());
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

    private void rejectOtherColumns(List<String> columns) {
        List<String> problems = columns.stream()
                .filter(column -> !reader.words().contains(column))
                .map(column -> "table " + name + ": column " + column.replace('-', '_')
                        + " is not a property of a rule; there are " + new TreeSet<>(reader.words())
                        + Spelling.hint(column, reader.words()))
                .toList();
        if (!problems.isEmpty()) {
            throw new InvalidRulesException(problems);
        }
    }
}
