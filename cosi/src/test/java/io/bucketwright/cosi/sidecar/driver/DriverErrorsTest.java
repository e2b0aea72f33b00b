package io.bucketwright.cosi.sidecar.driver;





import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.wire.CosiError;
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
        "CREATE_BUCKET, CREATE_INVALID_ARGUMENT, until change InvalidArgument",
        "CREATE_BUCKET, CREATE_INVALID_PROTOCOL, until change InvalidProtocol",
        "CREATE_BUCKET, CREATE_ALREADY_EXISTS, until change AlreadyExists",
        "CREATE_BUCKET, CREATE_INVALID_CREDENTIALS, back off InvalidCredentials",
        "CREATE_BUCKET, CREATE_INTERNAL_ERROR, back off InternalError",
        "DELETE_BUCKET, DELETE_BUCKET_DOESNOT_EXIST, success",
        "DELETE_BUCKET, DELETE_DELETE_INPROGRESS, again soon",
        "DELETE_BUCKET, DELETE_INVALID_ARGUMENT, back off InvalidArgument",
        "GRANT_ACCESS, GRANT_BUCKET_DOESNOT_EXIST, back off BucketDoesNotExist",
        "GRANT_ACCESS, GRANT_INVALID_PRINCIPAL, until change InvalidPrincipal",
        "REVOKE_ACCESS, REVOKE_BUCKET_DOESNOT_EXIST, success",
        "REVOKE_ACCESS, REVOKE_INVALID_PRINCIPAL, back off InvalidPrincipal",
    })
    void anErrorOfTheProposalMeans(DriverMethod method, CosiError error, String meaning) {
        assertThat(words(DriverErrors.of("d", method, error.exception("No."), REQUEST)))
                .isEqualTo(meaning);
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE_BUCKET, UNAVAILABLE, back off DriverUnavailable",
        "CREATE_BUCKET, DEADLINE_EXCEEDED, back off DriverTimeout",
        "CREATE_BUCKET, UNIMPLEMENTED, until change Unimplemented",
        "CREATE_BUCKET, UNKNOWN, back off InternalError",
        "CREATE_BUCKET, NOT_FOUND, back off InternalError",
        "CREATE_BUCKET, PERMISSION_DENIED, back off InvalidCredentials",
        "DELETE_BUCKET, NOT_FOUND, success",
        "DELETE_BUCKET, ABORTED, again soon",
        "REVOKE_ACCESS, NOT_FOUND, success",
        "REVOKE_ACCESS, UNIMPLEMENTED, back off Unimplemented",
    })
    void aDriverThatNamesNoErrorIsUnderstoodByItsCode(DriverMethod method, Status.Code code, String meaning) {
        assertThat(words(DriverErrors.of("d", method, code.toStatus().asRuntimeException(), REQUEST)))
                .isEqualTo(meaning);
    }

    @Test
    void aSecretThatADriverQuotesIsNotShownAndItsWordsAreOneLine() {
        StatusRuntimeException talkative = Status.INTERNAL
                .withDescription("login with hunter2 failed\n\u001b[31mred")
                .asRuntimeException();
        assertThat(DriverErrors.of("d", DriverMethod.CREATE_BUCKET, talkative, REQUEST))
                .isInstanceOfSatisfying(
                        DriverAnswer.Refused.class,
                        refused -> assertThat(refused.trouble().message())
                                .contains("login with *** failed  [31mred")
                                .doesNotContain("hunter2"));
    }

    private static String words(DriverAnswer<Object> answer) {
        return switch (answer) {
            case DriverAnswer.Given<Object> _ -> "given";
            case DriverAnswer.Busy<Object> _ -> "busy";
            case DriverAnswer.SoAlready<Object> _ -> "success";
            case DriverAnswer.InProgress<Object> _ -> "again soon";
            case DriverAnswer.Refused<Object>(Trouble trouble) ->
                (trouble.untilChange() ? "until change " : "back off ") + trouble.reason();
        };
    }
}
