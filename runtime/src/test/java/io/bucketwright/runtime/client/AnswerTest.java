package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AnswerTest {

    private final KubernetesSerialization json = new KubernetesSerialization();

    @Test
    void aTakenNameIsNotAConflict() {
        assertThat(error(409, status("AlreadyExists", "secrets s already exists"), ""))
                .isInstanceOf(ApiError.AlreadyExists.class);
        assertThat(error(409, status("Conflict", "the object has been modified"), ""))
                .isInstanceOf(ApiError.Conflict.class);
    }

    @Test
    void aFailedTestOfAPatchIsAConflictAndABadObjectIsNot() {
        assertThat(error(422, status("Invalid", "the server rejected our request due to an error in our request"), ""))
                .isInstanceOf(ApiError.Conflict.class);
        String body = "{\"kind\":\"Status\",\"reason\":\"Invalid\",\"message\":\"no\",\"details\":{\"causes\":"
                + "[{\"reason\":\"FieldValueRequired\",\"field\":\"spec.x\"}]}}";
        ApiError invalid = error(422, body, "");
        assertThat(invalid).isInstanceOf(ApiError.Invalid.class);
        assertThat(invalid.retry()).isEqualTo(new ApiError.Retry.UntilChange());
    }

    @Test
    void aTerminatingNamespaceIsKnownByItsCause() {
        String body = "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"no\",\"details\":{\"causes\":"
                + "[{\"reason\":\"NamespaceTerminating\",\"field\":\"metadata.namespace\"}]}}";
        assertThat(error(403, body, "")).isInstanceOf(ApiError.Terminating.class);
        assertThat(error(403, status("Forbidden", "no"), "")).isInstanceOf(ApiError.Forbidden.class);
    }

    @Test
    void retryAfterIsObeyedAlsoInPlainText() {
        assertThat(error(429, "Too many requests, please try again later.", "17")
                        .retry())
                .isEqualTo(new ApiError.Retry.After(Duration.ofSeconds(17)));
        assertThat(error(503, "apiserver is shutting down", "3").retry())
                .isEqualTo(new ApiError.Retry.After(Duration.ofSeconds(3)));
    }

    @Test
    void withoutRetryAfterThrottlingStillWaits() {
        assertThat(error(429, "slow down", "").retry()).isEqualTo(new ApiError.Retry.After(Duration.ofSeconds(1)));
    }

    @Test
    void aServerErrorIsPassing() {
        assertThat(error(500, status("InternalError", "etcd"), "")).isInstanceOf(ApiError.Unavailable.class);
    }

    @Test
    void theMessageNamesTheObjectAndTheServersWords() {
        assertThat(error(404, status("NotFound", "secrets \"s\" not found"), "").message())
                .isEqualTo("Patching secrets ns/s: the API server answered 404 secrets \"s\" not found");
    }

    private ApiError error(int code, String body, String retryAfter) {
        return ApiResponse.of(code, body.getBytes(StandardCharsets.UTF_8), retryAfter)
                .error("Patching secrets ns/s", json);
    }

    private static String status(String reason, String message) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"reason\":\"" + reason + "\",\"message\":\""
                + message.replace("\"", "\\\"") + "\"}";
    }
}
