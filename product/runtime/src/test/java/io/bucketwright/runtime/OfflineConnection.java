package io.bucketwright.runtime;

import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.UnaryOperator;

/** A connection for tests that send no request: nothing listens at its address. */
public final class OfflineConnection implements AutoCloseable {

    private final SystemTime time = new SystemTime();
    private final ApiConnection connection;

    public OfflineConnection(MeterRegistry meters) {
        connection = new ApiConnection(
                new ConfigBuilder(Config.empty())
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:9")
                        .build(),
                Keepalive.standard(),
                time,
                meters,
                UnaryOperator.identity());
    }

    public ApiConnection connection() {
        return connection;
    }

    @Override
    public void close() {
        connection.close();
        time.close();
    }
}
