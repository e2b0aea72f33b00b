package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.Transport;
import io.bucketwright.runtime.client.WriteListener;
import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.json.LenientValues;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RejectionReporterTest {

    /** Of an API server whose admission policies forbid everything. */
    private record Forbidding(JsonCodec json) implements Transport {

        @Override
        public byte[] send(String what, String method, String path, String contentType, String body) {
            throw new ApiException(new ApiError.Forbidden(what + ": denied"));
        }

        @Override
        public byte[] get(String what, String path) {
            return send(what, "GET", path, Transport.JSON, "");
        }
    }

    private final InMemoryProcess process =
            new InMemoryProcess(new InMemoryApiServer(), new ManualTime(), new ManualLeadership());
    private final ApiWriter writer =
            new ApiWriter(new Forbidding(new JsonCodec(LenientValues.mapper())), new WriteListener() {});

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void aWriteThatTheApiServerForbidsIsAnEventOnItsObject() {
        rejected("u1");
        assertThat(process.events()).singleElement().satisfies(event -> {
            assertThat(event.getReason()).isEqualTo("WriteRejected");
            assertThat(event.getRegarding().getUid()).isEqualTo("u1");
            assertThat(event.getNote()).contains("ns/a", "denied");
        });
    }

    @Test
    void anObjectThatDoesNotExistYetHasNoEvents() {
        rejected(null);
        assertThat(process.events()).isEmpty();
    }

    private void rejected(@Nullable String uid) {
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withUid(uid)
                .withResourceVersion("1")
                .endMetadata()
                .build();
        RejectionReporter<String> reporter = new RejectionReporter<>(
                _ -> {
                    writer.merge(object, Map.of("data", Map.of("a", "1")));
                    return Result.done();
                },
                process.context().events());
        assertThatThrownBy(() -> reporter.reconcile("ns/a")).isInstanceOf(ApiException.class);
    }
}
