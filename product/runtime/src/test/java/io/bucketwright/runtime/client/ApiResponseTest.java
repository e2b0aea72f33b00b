package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.json.LenientValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ApiResponseTest {

    private final JsonCodec json = new JsonCodec(LenientValues.mapper());

    static Stream<Arguments> errors() {
        return Stream.of(
                Arguments.of(409, status("AlreadyExists", "exists"), ApiError.AlreadyExists.class),
                Arguments.of(409, status("Conflict", "modified"), ApiError.Conflict.class),
                // The test of a JSON patch failed.
                Arguments.of(422, status("Invalid", "the server rejected our request"), ApiError.Conflict.class),
                Arguments.of(422, withCause("Invalid", "FieldValueRequired"), ApiError.Invalid.class),
                // Webhooks and policies choose the code.
                Arguments.of(400, status("", "admission webhook 'x' denied the request: no"), ApiError.Forbidden.class),
                Arguments.of(
                        422,
                        status("Invalid", "ValidatingAdmissionPolicy 'x' with binding 'y' denied request: no"),
                        ApiError.Forbidden.class),
                Arguments.of(403, withCause("Forbidden", "NamespaceTerminating"), ApiError.Terminating.class),
                Arguments.of(403, status("Forbidden", "no"), ApiError.Forbidden.class),
                Arguments.of(408, status("Timeout", "the request did not arrive in time"), ApiError.Unavailable.class),
                Arguments.of(500, status("InternalError", "etcd"), ApiError.Unavailable.class));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void theErrorDependsOnCodeReasonAndCauses(int code, String body, Class<? extends ApiError> expected) {
        assertThat(error(code, body, "")).isInstanceOf(expected);
    }

    @ParameterizedTest
    @CsvSource({"429,Too many requests,17,17", "503,apiserver is shutting down,3,3", "429,without Retry-After,'',1"})
    void aThrottledRequestIsDelayed(int code, String body, String retryAfter, long seconds) {
        assertThat(error(code, body, retryAfter))
                .isInstanceOfSatisfying(
                        ApiError.Throttled.class,
                        throttled -> assertThat(throttled.after()).isEqualTo(Duration.ofSeconds(seconds)));
    }

    @Test
    void theMessageNamesTheObjectAndTheServersWords() {
        assertThat(error(404, status("NotFound", "secrets \\\"s\\\" not found"), "")
                        .message())
                .isEqualTo("Patching secrets ns/s: the API server answered 404 secrets \"s\" not found");
    }

    private ApiError error(int code, String body, String retryAfter) {
        return ApiResponse.of(code, body.getBytes(StandardCharsets.UTF_8), retryAfter)
                .error("Patching secrets ns/s", json);
    }

    private static String status(String reason, String message) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"reason\":\"" + reason + "\",\"message\":\"" + message
                + "\"}";
    }

    private static String withCause(String reason, String cause) {
        return "{\"kind\":\"Status\",\"reason\":\"" + reason + "\",\"message\":\"no\",\"details\":{\"causes\":"
                + "[{\"reason\":\"" + cause + "\",\"field\":\"spec.x\"}]}}";
    }
}
