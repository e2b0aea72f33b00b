package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.testing.KStatus;

/** What kstatus should see of an object in each phase that the controller writes. */
final class ExpectedHealth {

    private ExpectedHealth() {}

    static KStatus of(BucketRequestPhase phase) {
        return switch (phase) {
            case BOUND -> KStatus.CURRENT;
            case CREATING,
                    DELETING,
                    BUCKET_CLASS_NOT_FOUND,
                    NO_DEFAULT_BUCKET_CLASS,
                    BUCKET_NOT_FOUND,
                    BUCKET_DELETION_IN_PROGRESS -> KStatus.IN_PROGRESS;
            case MULTIPLE_DEFAULT_BUCKET_CLASSES,
                    CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    BUCKET_DOES_NOT_SUPPORT_PROTOCOL,
                    NAMESPACE_NOT_PERMITTED,
                    CREATE_REJECTED,
                    BUCKET_NAME_TAKEN,
                    BUCKET_DELETED -> KStatus.FAILED;
        };
    }

    static KStatus of(BucketAccessRequestPhase phase) {
        return switch (phase) {
            case BOUND -> KStatus.CURRENT;
            case PENDING,
                    DELETING,
                    BUCKET_REQUEST_NOT_FOUND,
                    BUCKET_ACCESS_CLASS_NOT_FOUND,
                    BUCKET_DELETION_IN_PROGRESS -> KStatus.IN_PROGRESS;
            case NAMESPACE_NOT_PERMITTED,
                    CLASS_DOES_NOT_SUPPORT_PROVISIONER,
                    CLASS_DOES_NOT_SUPPORT_PROTOCOL,
                    BUCKET_DELETED,
                    ACCESS_LOST,
                    ACCESS_FAILED,
                    SECRET_IN_USE,
                    SECRET_REJECTED,
                    CREATE_REJECTED,
                    NAME_TAKEN,
                    INVALID_REQUEST -> KStatus.FAILED;
        };
    }

    static KStatus of(BucketAccessPhase phase) {
        return switch (phase) {
            case BOUND -> KStatus.CURRENT;
            case RETRYING -> KStatus.IN_PROGRESS;
            case RELEASED, FAILED -> KStatus.FAILED;
        };
    }
}
