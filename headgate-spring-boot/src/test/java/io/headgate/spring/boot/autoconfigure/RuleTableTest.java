package io.headgate.spring.boot.autoconfigure;

import static io.headgate.spring.boot.autoconfigure.Started.assertStops;
import static io.headgate.spring.boot.autoconfigure.Started.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.TimeSource;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleSource;
import io.headgate.spring.RuleStore;
import io.headgate.spring.line.Line;
import io.headgate.testkit.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** MISSION D7: rules in a real database, changed while the application runs. */
@ExtendWith(OutputCaptureExtension.class)
class RuleTableTest {

    private static final Duration INTERVAL = Duration.ofSeconds(5);

    /** As the guide shows it. */
    private static final String DDL = """
            create table headgate_rule (
                name             varchar(100)  not null primary key,
                path             varchar(1000) not null,
                limits           varchar(200)  not null,
                subject          varchar(200),
                methods          varchar(100),
                exclude          varchar(1000),
                algorithm        varchar(100),
                priority         integer,
                on_store_failure varchar(10),
                behavior         varchar(10)
            );
            create table headgate_rule_version (version bigint not null);
            insert into headgate_rule_version values (1);
            """;

    private final ManualTime time = new ManualTime();
    private final JdbcDataSource database = new JdbcDataSource();
    private Connection writer;
    private ApplicationContextRunner application;

    @BeforeEach
    void begin() throws SQLException {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install(); // all logs in one place
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        writer = database.getConnection(); // and as long as it is open there is a database
        write(DDL);
        write("insert into headgate_rule (name, path, limits) values ('api', '/api/**', '3/h')");
        application = application(database);
    }

    private ApplicationContextRunner application(DataSource source) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HeadgateAutoConfiguration.class))
                .withBean(TimeSource.class, () -> time)
                .withBean("rules", DataSource.class, () -> source)
                .withPropertyValues("headgate.rule-table.name=headgate_rule");
    }

    @AfterEach
    void end() throws SQLException {
        writer.close();
    }

    /** Scripts and migrations of the application make the table when it starts for the first time. */
    @Test
    void readsATableThatTheApplicationMakes(@TempDir Path folder) throws Exception {
        write("drop all objects");
        Path script = Files.writeString(folder.resolve("schema.sql"), DDL);
        application
                .withConfiguration(AutoConfigurations.of(Line.DATA_SOURCE_INITIALIZATION))
                .withPropertyValues("spring.sql.init.mode=always", "spring.sql.init.schema-locations=" + script.toUri())
                .run(context ->
                        assertThat(rules(context.getBean(RuleStore.class))).isEmpty());
    }

    @Test
    void readsEveryWordOfARule() throws SQLException {
        write(
                "insert into headgate_rule values ('Login', '/a/login, /b/login', '5/min, 20/h', 'api-key, ip', 'POST,PUT',"
                        + " '/a/login/help', 'sliding-window', 7, 'closed', 'shadow')");
        application.run(context -> assertThat(rules(context.getBean(RuleStore.class)))
                .containsExactly(
                        Rule.named("Login")
                                .paths("/a/login", "/b/login")
                                .limits("5/min", "20/h")
                                .subject("api-key", "ip")
                                .methods("POST", "PUT")
                                .exclude("/a/login/help")
                                .algorithm("sliding-window")
                                .priority(7)
                                .onStoreFailure(FailurePolicy.CLOSED)
                                .behavior(Rule.Behavior.SHADOW)
                                .build(),
                        Rule.named("api").paths("/api/**").limits("3/h").build()));
    }

    /** Known bug A11: nobody gets a fresh budget from a change of the rules. */
    @Test
    void takesAChangeWithItsVersionAndForgetsNothing() {
        application.run(context -> {
            RuleStore store = context.getBean(RuleStore.class);
            store.get().boundRules().get(0).limiter().tryAcquire("ann", 2);
            write("update headgate_rule set limits = '10/h'");
            time.advance(INTERVAL);
            assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("3/h"));

            write("update headgate_rule_version set version = 2");
            time.advance(INTERVAL);
            assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("10/h"));
            assertThat(store.get().boundRules().get(0).limiter().peek("ann").remaining())
                    .isEqualTo(8);
        });
    }

    @Test
    void seesNothingOfAChangeThatIsUnderWay() {
        application.run(context -> {
            RuleStore store = context.getBean(RuleStore.class);
            writer.setAutoCommit(false);
            write("update headgate_rule set limits = '10/h'");
            write("update headgate_rule_version set version = 2");
            time.advance(INTERVAL);
            assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("3/h"));
            writer.commit();
            time.advance(INTERVAL);
            assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("10/h"));
        });
    }

    /** Somebody changes everything in the middle: once before the rules are read, once before the version is again. */
    @Test
    void readsTheRulesOfTheVersionItHasRead() {
        for (int moment : new int[] {2, 3}) {
            AtomicInteger statements = new AtomicInteger();
            DataSource interrupted = before("createStatement", () -> {
                if (statements.incrementAndGet() == moment) {
                    write("update headgate_rule set limits = '1" + moment + "/h';"
                            + " update headgate_rule_version set version = version + 1");
                }
            });
            application(interrupted).run(context -> {
                RuleStore store = context.getBean(RuleStore.class);
                assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("1" + moment + "/h"));
                RuleSet before = store.get();
                time.advance(INTERVAL.multipliedBy(2));
                assertThat(store.get()).isSameAs(before);
            });
        }
    }

    @Test
    void doesNotGuessWhenEverythingKeepsChanging() {
        DataSource busy =
                before("createStatement", () -> write("update headgate_rule_version set version = version + 1"));
        assertStops(application(busy), "headgate.rule-table.name", "changed during each of 3 attempts");
    }

    /** Known bug C11: one bad rule neither takes effect nor breaks the others. */
    @Test
    void rejectsABadSetAsAWholeAndOnce(CapturedOutput output) {
        application.run(context -> {
            RuleStore store = context.getBean(RuleStore.class);
            RuleSet before = store.get();
            write("insert into headgate_rule (name, path, limits) values ('odd', '/odd', '10/fortnight')");
            write("insert into headgate_rule (name, path, limits) values ('bad', 'bad', '1/s')");
            write("update headgate_rule_version set version = version + 1");
            time.advance(INTERVAL.multipliedBy(3));
            assertThat(store.get()).isSameAs(before);
            assertThat(output)
                    .containsOnlyOnce("the last good rules stay in force")
                    .containsPattern("WARN.* the last good rules stay in force: the rules have 2 problems")
                    .contains("rule 'odd': limit '10/fortnight'", "rule 'bad': pattern 'bad'");
        });
    }

    /** Known bug C1: a misspelt column would be a limit that nobody keeps. */
    @Test
    void rejectsColumnsThatMeanNothing() throws SQLException {
        write("alter table headgate_rule add on_store_failur varchar(10)");
        assertStops(
                application,
                "headgate.rule-table.name = headgate_rule",
                "column on_store_failur is not a property of a rule",
                "did you mean 'on-store-failure'?");
        write("delete from headgate_rule");
        assertStops(application, "column on_store_failur is not a property of a rule");
        write("insert into headgate_rule (name, path, limits) values ('api', '/api/**', '5/h')");
        write("create view plain as select name, path, limits from headgate_rule;"
                + "create view plain_version as select version from headgate_rule_version");
        application
                .withPropertyValues("headgate.rule-table.name=plain")
                .run(context -> assertThat(rules(context.getBean(RuleStore.class)))
                        .extracting(Rule::name)
                        .containsExactly("api"));
    }

    @Test
    void keepsTheLastRulesWhileTheDatabaseIsDown(CapturedOutput output) throws SQLException {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        int port = server.getPort();
        JdbcDataSource remote = new JdbcDataSource();
        remote.setURL(
                "jdbc:h2:tcp://localhost:" + port + "/" + database.getURL().substring("jdbc:h2:".length()));
        try {
            application(remote).run(context -> {
                RuleStore store = context.getBean(RuleStore.class);
                RuleSet before = store.get();
                server.stop();
                time.advance(INTERVAL.multipliedBy(3));
                assertThat(store.get()).isSameAs(before);
                assertThat(output)
                        .containsOnlyOnce("the last good rules stay in force")
                        .containsPattern("WARN.* headgate.rule-table.name = headgate_rule cannot be read")
                        .doesNotContain("can be read again");

                write("update headgate_rule set limits = '10/h'; update headgate_rule_version set version = 2");
                Server again =
                        Server.createTcpServer("-tcpPort", String.valueOf(port)).start();
                try {
                    time.advance(INTERVAL.multipliedBy(2));
                } finally {
                    again.stop();
                }
                assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("10/h"));
                assertThat(output)
                        .containsOnlyOnce("can be read again")
                        .containsPattern("INFO.* the rules can be read again: headgate.rule-table.name");
            });
            assertStops(
                    application(remote),
                    "headgate.rule-table.name = headgate_rule",
                    "cannot be read",
                    "database is running");
        } finally {
            server.stop();
        }
    }

    @Test
    void saysWhatIsWrongAtTheStart() throws SQLException {
        assertStops(
                application.withPropertyValues("headgate.rule-table.name=nowhere"),
                "headgate.rule-table.name = nowhere",
                "cannot be read",
                "Create nowhere and nowhere_version");
        assertStops(
                application.withPropertyValues("headgate.rule-table.name=x; drop table y"),
                "headgate.rule-table.name = x; drop table y",
                "letters, digits and underscores");
        assertStops(
                application.withPropertyValues("headgate.rule-table.data-source=other"),
                "headgate.rule-table.data-source = other",
                "found no such DataSource bean");
        write("insert into headgate_rule_version values (2)");
        assertStops(
                application,
                "headgate_rule_version must have exactly one row, with a version that is not null; rows found: 2");
    }

    @Test
    void choosesOneOfSeveralDatabases() {
        ApplicationContextRunner two = application.withBean("other", DataSource.class, JdbcDataSource::new);
        assertStops(two, "headgate.rule-table.data-source", "name of the DataSource bean");
        two.withPropertyValues("headgate.rule-table.data-source=rules")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void givesWayToTheSourceOfTheUser() {
        RuleSource own =
                RuleSource.of(Rule.named("own").paths("/**").limits("1/h").build());
        application
                .withBean(RuleSource.class, () -> own)
                .run(context -> assertThat(rules(context.getBean(RuleStore.class)))
                        .extracting(Rule::name)
                        .containsExactly("own"));
    }

    /** A connection goes back to its pool as it came, and what it was in the middle of is not what is read. */
    @Test
    void leavesConnectionsAsTheyWere() throws SQLException {
        writer.setAutoCommit(false);
        DataSource pool = new AbstractDataSource() {
            @Override
            public Connection getConnection() {
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("close") ? null : method.invoke(writer, arguments));
            }

            @Override
            public Connection getConnection(String user, String password) {
                return getConnection();
            }
        };
        application(pool).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(writer.getAutoCommit()).isFalse();
        });
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** The database, where something happens before each call of that method on a connection. */
    private DataSource before(String method, Step step) {
        return new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Connection real = database.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, called, arguments) -> {
                            if (called.getName().equals(method)) {
                                step.run();
                            }
                            try {
                                return called.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
    }

    private void write(String sql) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            statement.execute(sql);
        }
    }
}
