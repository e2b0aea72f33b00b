package io.bucketwright.runtime.engine;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.util.function.UnaryOperator;

/**
 * Options of a process for tests: they select the client by its own types. The public builders do not have them, so that
 * programs do not depend on the client behind a process. In the package of the builders, whose methods are not public.
 */
public final class ClientOptions {

    private ClientOptions() {}

    /** Uses this client configuration instead of a kubeconfig. It belongs to the process from here on. */
    public static <B extends ControllerProcessBuilder<B>> B config(B builder, Config config) {
        builder.client(config);
        return builder;
    }

    /** Wraps the HTTP client, to count or break requests. */
    public static <B extends ControllerProcessBuilder<B>> B http(B builder, UnaryOperator<HttpClient.Factory> wrap) {
        builder.http(wrap);
        return builder;
    }
}
