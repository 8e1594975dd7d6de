package io.headgate.rig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a server is set up. */
public final class RedisSettings {

    private static final int PORT_ATTEMPTS = 5;

    final Map<String, String> values = new LinkedHashMap<>();
    final List<String> users = new ArrayList<>();
    final List<String> options = new ArrayList<>();

    @Nullable
    String password;

    @Nullable
    Certificate certificate;

    int database;

    RedisSettings() {
        set("bind", "127.0.0.1");
        set("save", "\"\"");
        set("appendonly", "no");
        set("repl-diskless-sync-delay", "0");
        set("maxclients", "1000");
    }

    /** Any line of the configuration file. */
    public RedisSettings set(String name, String value) {
        values.put(name, value);
        return this;
    }

    /** What the default user has to say. */
    public RedisSettings password(String password) {
        this.password = password;
        set("masterauth", password);
        return set("requirepass", password);
    }

    /** Another user, with rules such as {@code ~rl:* +evalsha}. */
    public RedisSettings user(String name, String password, String rules) {
        users.add("user " + name + " on >" + password + " " + rules);
        return this;
    }

    /** The most memory, such as {@code 2mb}; nothing is evicted, so writes fail beyond it. */
    public RedisSettings maxMemory(String size) {
        set("maxmemory-policy", "noeviction");
        return set("maxmemory", size);
    }

    public RedisSettings replicaOf(RedisServer master) {
        return set("replicaof", "127.0.0.1 " + master.port());
    }

    /** The database that {@link RedisServer#uri} names and {@link RedisServer#command} talks to. */
    public RedisSettings database(int database) {
        this.database = database;
        return this;
    }

    /** Listens for TLS as well, on the port after its own, with a certificate for {@code localhost} signed by itself. */
    public RedisSettings tls() {
        certificate = Certificate.create();
        set("tls-auth-clients", "no");
        set("tls-cert-file", certificate.certificate().toString());
        set("tls-key-file", certificate.key().toString());
        return set("tls-ca-cert-file", certificate.certificate().toString());
    }

    /** Starts it as a Sentinel instead. */
    RedisSettings sentinel() {
        values.keySet().removeIf(name -> !name.equals("bind"));
        options.add("--sentinel");
        return this;
    }

    public RedisServer start() {
        for (int attempt = 1; ; attempt++) {
            RedisServer server = new RedisServer(this, Ports.free());
            try {
                server.restart();
                return server;
            } catch (IllegalStateException e) {
                server.close();
                boolean taken = String.valueOf(e.getMessage()).contains("in use");
                if (!taken || attempt == PORT_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
