package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.wire.CosiError.Meaning;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CosiErrorTest {

    @ParameterizedTest
    @EnumSource
    void everyNameArrivesAsItWasSent(CosiError error) {
        StatusRuntimeException sent = error.exception("It did not work.");

        assertThat(CosiError.named(sent)).contains(error);
        assertThat(CosiError.of(error.operation(), sent)).isEqualTo(error);
        assertThat(sent.getStatus().getCode()).isEqualTo(error.code());
        assertThat(sent.getStatus().getDescription()).isEqualTo("It did not work.");
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE, ALREADY_EXISTS, CREATE_ALREADY_EXISTS",
        "CREATE, INVALID_ARGUMENT, CREATE_INVALID_ARGUMENT",
        "CREATE, UNAUTHENTICATED, CREATE_INVALID_CREDENTIALS",
        "CREATE, PERMISSION_DENIED, CREATE_INVALID_CREDENTIALS",
        "CREATE, NOT_FOUND, CREATE_INTERNAL_ERROR",
        "DELETE, NOT_FOUND, DELETE_BUCKET_DOESNOT_EXIST",
        "DELETE, ABORTED, DELETE_DELETE_INPROGRESS",
        "DELETE, ALREADY_EXISTS, DELETE_INTERNAL_ERROR",
        "GRANT, NOT_FOUND, GRANT_BUCKET_DOESNOT_EXIST",
        "GRANT, DEADLINE_EXCEEDED, GRANT_INTERNAL_ERROR",
        "REVOKE, NOT_FOUND, REVOKE_BUCKET_DOESNOT_EXIST",
        "REVOKE, UNAVAILABLE, REVOKE_INTERNAL_ERROR"
    })
    void aDriverThatSendsNoNameIsUnderstoodByItsCode(Operation operation, Code code, CosiError meant) {
        assertThat(CosiError.of(operation, Status.fromCode(code).asRuntimeException()))
                .isEqualTo(meant);
    }

    @Test
    void aNameOfAnotherOperationIsNotBelieved() {
        StatusRuntimeException odd = CosiError.DELETE_BUCKET_DOESNOT_EXIST.exception("Odd.");

        assertThat(CosiError.of(Operation.GRANT, odd)).isEqualTo(CosiError.GRANT_BUCKET_DOESNOT_EXIST);
    }

    @Test
    void onlyDeletingAndRevokingTakeAMissingBucketForSuccess() {
        assertThat(CosiError.values())
                .filteredOn(error -> error.meaning() == Meaning.DONE)
                .containsExactly(CosiError.DELETE_BUCKET_DOESNOT_EXIST, CosiError.REVOKE_BUCKET_DOESNOT_EXIST);
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationHasAnErrorForWhatNobodyThoughtOf(Operation operation) {
        assertThat(CosiError.internal(operation).name()).isEqualTo(operation + "_INTERNAL_ERROR");
    }

    @Test
    void anErrorTravelsUnderNoCodeThatMeansSomethingElse() {
        assertThatThrownBy(() -> CosiError.CREATE_ALREADY_EXISTS.exception(Code.NOT_FOUND, "No."))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
