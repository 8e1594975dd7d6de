package io.headgate.rig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link RedisServer} to start. */
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

    /** Sets any line of the configuration file. */
    public RedisSettings set(String name, String value) {
        values.put(name, value);
        return this;
    }

    /** Sets the password of the default user. */
    public RedisSettings password(String password) {
        this.password = password;
        set("masterauth", password);
        return set("requirepass", password);
    }

    /** Adds a user with ACL rules such as {@code ~rl:* +evalsha}. */
    public RedisSettings user(String name, String password, String rules) {
        users.add("user " + name + " on >" + password + " " + rules);
        return this;
    }

    /** Limits the memory, for example to {@code 2mb}. Nothing is evicted, so writes beyond it fail. */
    public RedisSettings maxMemory(String size) {
        set("maxmemory-policy", "noeviction");
        return set("maxmemory", size);
    }

    public RedisSettings replicaOf(RedisServer master) {
        return set("replicaof", "127.0.0.1 " + master.port());
    }

    /** Sets the database that {@link RedisServer#uri} names and {@link RedisServer#command} uses. */
    public RedisSettings database(int database) {
        this.database = database;
        return this;
    }

    /** Also listens for TLS, on the next port, with a self-signed certificate for {@code localhost}. */
    public RedisSettings tls() {
        certificate = Certificate.create();
        set("tls-auth-clients", "no");
        set("tls-cert-file", certificate.certificate().toString());
        set("tls-key-file", certificate.key().toString());
        return set("tls-ca-cert-file", certificate.certificate().toString());
    }

    /** Starts the server as a Sentinel. */
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
