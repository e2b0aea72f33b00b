package io.bucketwright.cosi.sidecar.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Problem;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleasedErrorsTest {

    @ParameterizedTest
    @CsvSource({
        "CREATE_BUCKET, INVALID_ARGUMENT, requires change: InvalidArgument",
        "CREATE_BUCKET, OUT_OF_RANGE, requires change: InvalidArgument",
        "CREATE_BUCKET, UNIMPLEMENTED, requires change: Unimplemented",
        "CREATE_BUCKET, ALREADY_EXISTS, retry: AlreadyExists",
        "CREATE_BUCKET, NOT_FOUND, retry: InternalError",
        "CREATE_BUCKET, UNKNOWN, retry: InternalError",
        "CREATE_BUCKET, ABORTED, pending",
        "DELETE_BUCKET, NOT_FOUND, removed",
        "DELETE_BUCKET, FAILED_PRECONDITION, retry: FailedPrecondition",
        "DELETE_BUCKET, RESOURCE_EXHAUSTED, retry: DriverUnavailable",
        "DELETE_BUCKET, UNKNOWN, retry: InternalError",
        "DELETE_BUCKET, INVALID_ARGUMENT, retry: InvalidArgument",
        "DELETE_BUCKET, INTERNAL, retry: InternalError",
        "GRANT_ACCESS, NOT_FOUND, retry: BucketDoesNotExist",
        "GRANT_ACCESS, ALREADY_EXISTS, retry: AlreadyExists",
        "GRANT_ACCESS, INVALID_ARGUMENT, requires change: InvalidArgument",
        "GRANT_ACCESS, PERMISSION_DENIED, retry: InvalidCredentials",
        "GRANT_ACCESS, UNAVAILABLE, retry: DriverUnavailable",
        "GRANT_ACCESS, DEADLINE_EXCEEDED, retry: DriverTimeout",
        "REVOKE_ACCESS, NOT_FOUND, removed",
        "REVOKE_ACCESS, UNIMPLEMENTED, retry: Unimplemented",
        "REVOKE_ACCESS, INTERNAL, retry: InternalError",
    })
    void theCodeDecides(DriverMethod method, Status.Code code, String meaning) {
        assertThat(text(answer(method, code))).isEqualTo(meaning);
    }

    @Test
    void theMessageNamesTheRpcOfThisDialect() {
        assertThat(answer(DriverMethod.GRANT_ACCESS, Status.Code.INTERNAL))
                .isInstanceOfSatisfying(
                        DriverAnswer.Failed.class,
                        failed -> assertThat(failed.problem().message())
                                .isEqualTo("Driver d answered DriverGrantBucketAccess with INTERNAL: no message"));
    }

    private static DriverAnswer<Object> answer(DriverMethod method, Status.Code code) {
        return new ReleasedErrors()
                .answer("d", method, code.toStatus().asRuntimeException(), DriverGetInfoRequest.getDefaultInstance());
    }

    private static String text(DriverAnswer<Object> answer) {
        return switch (answer) {
            case DriverAnswer.Done<Object> _ -> "done";
            case DriverAnswer.AlreadyRemoved<Object> _ -> "removed";
            case DriverAnswer.Pending<Object> _ -> "pending";
            case DriverAnswer.Failed<Object>(Problem problem) ->
                (problem.isRetried() ? "retry: " : "requires change: ") + problem.reason();
        };
    }
}
