package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Makes clients over blocking sockets. Only the command registers it as a service: a library must not choose for others. */
public final class BlockingClientFactory implements HttpClient.Factory {

    private final ConnectionMonitor monitor;
    private final Executor executor;
    private final RandomGenerator random = new SecureRandom();

    /** For commands, which end by themselves: their watches are not pinged. */
    public BlockingClientFactory() {
        this(new ConnectionMonitor(Keepalive.standard(), new SystemTime(), Thread::startVirtualThread));
    }

    private BlockingClientFactory(ConnectionMonitor idle) {
        this(idle, Thread::startVirtualThread);
    }

    /**
     * For a process whose connections are monitored.
     *
     * @param executor runs each task in a virtual thread of its own
     */
    public BlockingClientFactory(ConnectionMonitor monitor, Executor executor) {
        this.monitor = monitor;
        this.executor = executor;
    }

    @Override
    public HttpClient.Builder newBuilder() {
        return new BlockingClientBuilder(this);
    }

    @Override
    public HttpClient.Builder newBuilder(Config config) {
        BlockingClientBuilder builder = new BlockingClientBuilder(this);
        new ClientTls(config).apply(builder, this);
        return builder;
    }

    /** Where it is registered, before the clients that a test may have on its class path. */
    @Override
    public int priority() {
        return 1;
    }

    ConnectionMonitor monitor() {
        return monitor;
    }

    Executor executor() {
        return executor;
    }

    RandomGenerator random() {
        return random;
    }
}
