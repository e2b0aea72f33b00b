package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/**
 * What a process with controllers is told.
 *
 * @param client how to reach the API server
 * @param identity this process, as leases and events name it
 * @param timing how long leadership lasts
 * @param status where health and metrics are served
 * @param http wraps the HTTP client, as tests do that count or break requests
 */
public record ProcessOptions(
        Config client,
        String identity,
        LeaseTiming timing,
        InetSocketAddress status,
        UnaryOperator<HttpClient.Factory> http) {}
