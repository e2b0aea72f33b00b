package io.bucketwright.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatusServerTest {

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final StatusServer server =
            new StatusServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), meters::scrape);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void readyOnlyIfEveryCheckPassesAndTheBodyNamesTheFailedOnes() throws IOException, InterruptedException {
        server.ready("caches", () -> Health.unhealthy("not listed yet: secrets"))
                .ready("leader", Health::healthy);
        HttpResponse<String> answer = get("/readyz");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .contains("[-]caches failed: not listed yet: secrets")
                .contains("[+]leader ok");
        server.ready("caches", Health::healthy);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void notReadyBeforeThereIsACheck() throws IOException, InterruptedException {
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        server.ready("running", Health::healthy);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void aFailedReadinessCheckDoesNotAffectLiveness() throws IOException, InterruptedException {
        server.ready("never", () -> Health.unhealthy("not yet"));
        assertThat(get("/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void aCheckThatThrowsIsUnhealthy() throws IOException, InterruptedException {
        server.live("broken", () -> {
            throw new IllegalStateException("a defect");
        });
        assertThat(get("/livez").body()).contains("[-]broken failed: the check itself failed");
    }

    @Test
    void metricsAreInPrometheusFormat() throws IOException, InterruptedException {
        meters.counter("bucketwright.api.requests", "verb", "get", "resource", "pods", "code", "200")
                .increment();
        assertThat(get("/metrics").body())
                .contains("bucketwright_api_requests_total{code=\"200\",resource=\"pods\",verb=\"get\"} 1.0");
    }

    @Test
    void otherPathsAreNotFound() throws IOException, InterruptedException {
        assertThat(get("/").statusCode()).isEqualTo(404);
        assertThat(get("/livez/x").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
