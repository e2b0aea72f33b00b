package io.bucketwright.volumes.releaser;

/** Why a volume is not released. Reported once. */
record ReleaseProblem(ReleaseReason reason, String message) {

    static ReleaseProblem releasing(String message) {
        return new ReleaseProblem(ReleaseReason.RELEASE_FAILED, message);
    }
}
