package io.bucketwright.buckets;

import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the builders of this package have in common. */
final class ProcessOptions {

    @Nullable
    Config config;

    @Nullable
    LeaseName lease;

    LeaseTiming timing = LeaseTiming.standard();
    InetSocketAddress status = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    UnaryOperator<HttpClient.Factory> http = UnaryOperator.identity();
}
