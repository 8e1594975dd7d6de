package io.headgate.demo;

import io.headgate.rig.RedisServer;
import org.springframework.boot.SpringApplication;

/** Runs two instances, on ports 8083 and 8084, that share their limits through a Redis server started with them. */
public final class ClusterDemo {

    private ClusterDemo() {}

    public static void main(String[] arguments) {
        RedisServer redis = RedisServer.start();
        Runtime.getRuntime().addShutdownHook(new Thread(redis::close));
        for (int port : new int[] {8083, 8084}) {
            SpringApplication.run(
                    Demo.class,
                    "--server.port=" + port,
                    "--headgate.store=redis",
                    "--headgate.instances=2",
                    "--spring.data.redis.url=" + redis.uri(),
                    "--spring.jmx.enabled=false");
        }
        System.out.println("Two instances, one limit: http://localhost:8083 and http://localhost:8084");
    }
}
