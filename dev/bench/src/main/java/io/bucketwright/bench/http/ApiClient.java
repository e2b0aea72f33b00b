package io.bucketwright.bench.http;

import io.bucketwright.app.options.ApiServerOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** The API server as one user sees it. Requests are sent by the thread of the caller, and never repeated. */
public final class ApiClient implements AutoCloseable {

    private final KubernetesClient client;
    private final String server;

    private ApiClient(KubernetesClient client) {
        this.client = client;
        this.server = client.getMasterUrl().toString().replaceFirst("/$", "");
    }

    /** The server and the user of a kubeconfig. */
    public static ApiClient of(Path kubeconfig) {
        ApiServerOptions options = new ApiServerOptions();
        options.useKubeconfig(kubeconfig);
        return of(options.config());
    }

    static ApiClient of(Config config) {
        return new ApiClient(new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build());
    }

    /**
     * Sends a request and reads the response.
     *
     * @param contentType of the body
     * @param body empty for none
     */
    public PlainResponse send(String method, String path, String contentType, String body) throws IOException {
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(server + path)
                .method(method, contentType, body)
                .build();
        return send(method + " " + path, request);
    }

    public PlainResponse get(String path) throws IOException {
        return send(
                "GET " + path,
                client.getHttpClient()
                        .newHttpRequestBuilder()
                        .uri(server + path)
                        .build());
    }

    private PlainResponse send(String title, HttpRequest request) throws IOException {
        try {
            HttpResponse<byte[]> response =
                    client.getHttpClient().sendAsync(request, byte[].class).join();
            return new PlainResponse(title, response.code(), new String(response.body(), StandardCharsets.UTF_8));
        } catch (CompletionException e) {
            throw new IOException(title + " was not answered: " + e.getCause(), e);
        }
    }

    /** Starts a watch: every change after this method has returned is passed on. */
    public ObjectWatch watch(String path, Consumer<WatchEvent> events) throws IOException {
        String version = get(path + "?limit=1")
                .require()
                .json()
                .at("/metadata/resourceVersion")
                .asText();
        return new ObjectWatch(client, path, version, events);
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return server;
    }
}
