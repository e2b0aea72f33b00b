package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/**
 * Options of a controller process.
 *
 * @param client how to reach the API server
 * @param identity the name of this process in leases and events
 * @param timing lease duration, renew deadline and retry period
 * @param status address of health checks and metrics
 * @param http wraps the HTTP client, for tests that count or break requests
 */
public record ProcessOptions(
        Config client,
        String identity,
        LeaseTiming timing,
        InetSocketAddress status,
        UnaryOperator<HttpClient.Factory> http) {}
