package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.util.concurrent.Executor;

/** The JDK's HTTP client with callbacks on virtual threads instead of a pool of its own. */
final class VirtualThreadHttp extends JdkHttpClientFactory {

    private final Executor executor;

    VirtualThreadHttp(Executor executor) {
        this.executor = executor;
    }

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        return HttpClient.newBuilder().executor(executor);
    }
}
