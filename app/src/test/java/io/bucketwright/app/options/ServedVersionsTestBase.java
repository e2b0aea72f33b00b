package io.bucketwright.app.options;

import com.sun.net.httpserver.HttpServer;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An API server that serves some versions of some API groups, and nothing else. */
public abstract class ServedVersionsTestBase {

    /** Paths that exist. */
    protected final Set<String> served = ConcurrentHashMap.newKeySet();

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(
                    served.contains(exchange.getRequestURI().getPath()) ? 200 : 404, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** A process that is connected to this server and not started. */
    protected final ControllerProcess process() {
        return ClientOptions.config(
                        ControllerProcess.builder(),
                        new ConfigBuilder()
                                .withMasterUrl("http://127.0.0.1:"
                                        + server.getAddress().getPort())
                                .build())
                .build();
    }
}
