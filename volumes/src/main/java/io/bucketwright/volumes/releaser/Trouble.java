package io.bucketwright.volumes.releaser;

/** What keeps a volume from being released, in words for an administrator. Told once. */
record Trouble(Reason reason, String note) {

    static Trouble releasing(String note) {
        return new Trouble(Reason.RELEASE_FAILED, note);
    }
}
