package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.runtime.controller.Problem;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverErrorsTest {

    private static final CreateBucketRequest REQUEST =
            CreateBucketRequest.newBuilder().putSecrets("key", "hunter2").build();

    @ParameterizedTest
    @CsvSource({
        "CREATE_BUCKET, CREATE_INVALID_ARGUMENT, requires change: InvalidArgument",
        "CREATE_BUCKET, CREATE_INVALID_PROTOCOL, requires change: InvalidProtocol",
        "CREATE_BUCKET, CREATE_ALREADY_EXISTS, retry: AlreadyExists",
        "CREATE_BUCKET, CREATE_INVALID_CREDENTIALS, retry: InvalidCredentials",
        "CREATE_BUCKET, CREATE_INTERNAL_ERROR, retry: InternalError",
        "DELETE_BUCKET, DELETE_BUCKET_DOESNOT_EXIST, removed",
        "DELETE_BUCKET, DELETE_DELETE_INPROGRESS, pending",
        "DELETE_BUCKET, DELETE_INVALID_ARGUMENT, retry: InvalidArgument",
        "GRANT_ACCESS, GRANT_BUCKET_DOESNOT_EXIST, retry: BucketDoesNotExist",
        "GRANT_ACCESS, GRANT_INVALID_PRINCIPAL, requires change: InvalidPrincipal",
        "REVOKE_ACCESS, REVOKE_BUCKET_DOESNOT_EXIST, removed",
        "REVOKE_ACCESS, REVOKE_INVALID_PRINCIPAL, retry: InvalidPrincipal",
    })
    void mapsErrorsOfTheProposal(DriverMethod method, CosiError error, String meaning) {
        assertThat(text(new DriverErrors().answer("d", method, error.exception("No."), REQUEST)))
                .isEqualTo(meaning);
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE_BUCKET, UNAVAILABLE, retry: DriverUnavailable",
        "CREATE_BUCKET, DEADLINE_EXCEEDED, retry: DriverTimeout",
        "CREATE_BUCKET, UNIMPLEMENTED, requires change: Unimplemented",
        "CREATE_BUCKET, UNKNOWN, retry: InternalError",
        "CREATE_BUCKET, NOT_FOUND, retry: InternalError",
        "CREATE_BUCKET, PERMISSION_DENIED, retry: InvalidCredentials",
        "DELETE_BUCKET, NOT_FOUND, removed",
        "DELETE_BUCKET, ABORTED, pending",
        "REVOKE_ACCESS, NOT_FOUND, removed",
        "REVOKE_ACCESS, UNIMPLEMENTED, retry: Unimplemented",
    })
    void mapsTheCodeOfAnErrorWithoutName(DriverMethod method, Status.Code code, String meaning) {
        assertThat(text(new DriverErrors().answer("d", method, code.toStatus().asRuntimeException(), REQUEST)))
                .isEqualTo(meaning);
    }

    @Test
    void showsTheMessageOnOneLineWithoutSecrets() {
        StatusRuntimeException talkative = Status.INTERNAL
                .withDescription("login with hunter2 failed\n\u001b[31mred")
                .asRuntimeException();
        assertThat(new DriverErrors().answer("d", DriverMethod.CREATE_BUCKET, talkative, REQUEST))
                .isInstanceOfSatisfying(
                        DriverAnswer.Failed.class,
                        failed -> assertThat(failed.problem().message())
                                .contains("login with *** failed [31mred")
                                .doesNotContain("hunter2"));
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
