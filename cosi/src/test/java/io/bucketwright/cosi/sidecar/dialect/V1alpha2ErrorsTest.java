package io.bucketwright.cosi.sidecar.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.v1alpha2.DriverGetInfoRequest;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Problem;
import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class V1alpha2ErrorsTest {

    @ParameterizedTest
    @CsvSource({
        "CREATE_BUCKET, INVALID_ARGUMENT, requires change: InvalidArgument",
        "CREATE_BUCKET, ALREADY_EXISTS, requires change: AlreadyExists",
        "CREATE_BUCKET, UNIMPLEMENTED, requires change: Unimplemented",
        "CREATE_BUCKET, OUT_OF_RANGE, retry: InvalidArgument",
        "CREATE_BUCKET, NOT_FOUND, retry: BucketDoesNotExist",
        "CREATE_BUCKET, INTERNAL, retry: InternalError",
        "CREATE_BUCKET, ABORTED, pending",
        "GRANT_ACCESS, OUT_OF_RANGE, requires change: InvalidArgument",
        "GRANT_ACCESS, ALREADY_EXISTS, requires change: AlreadyExists",
        "GRANT_ACCESS, NOT_FOUND, retry: BucketDoesNotExist",
        "GRANT_ACCESS, PERMISSION_DENIED, retry: InvalidCredentials",
        "GRANT_ACCESS, DEADLINE_EXCEEDED, retry: DriverTimeout",
        "DELETE_BUCKET, NOT_FOUND, removed",
        "DELETE_BUCKET, INVALID_ARGUMENT, retry: InvalidArgument",
        "REVOKE_ACCESS, UNIMPLEMENTED, retry: Unimplemented",
        "REVOKE_ACCESS, UNAVAILABLE, retry: DriverUnavailable",
        "DELETE_BUCKET, FAILED_PRECONDITION, retry: FailedPrecondition",
        "CREATE_BUCKET, RESOURCE_EXHAUSTED, retry: DriverUnavailable",
    })
    void theCodeDecides(DriverMethod method, Status.Code code, String meaning) {
        DriverAnswer<Object> answer = new V1alpha2Errors()
                .answer("d", method, code.toStatus().asRuntimeException(), DriverGetInfoRequest.getDefaultInstance());
        assertThat(text(answer)).isEqualTo(meaning);
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
