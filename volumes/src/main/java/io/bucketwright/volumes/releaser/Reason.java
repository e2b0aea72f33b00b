package io.bucketwright.volumes.releaser;

/** Why a volume's event was written, in the words that the controller had before us. */
enum Reason {
    ASSOCIATED("Associated"),
    RELEASED("Released"),
    ASSOCIATION_FAILED("ErrAssociatePV"),
    RELEASE_FAILED("ErrReleasePV");

    private final String word;

    Reason(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
