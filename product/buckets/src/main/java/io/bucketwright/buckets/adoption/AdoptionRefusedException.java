package io.bucketwright.buckets.adoption;

/** A claim does not get a bucket that has an owner. The explanation names nothing of other namespaces. */
public final class AdoptionRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String explanation;

    AdoptionRefusedException(String explanation) {
        super(explanation);
        this.explanation = explanation;
    }

    /** Why, for the owner of the claim. */
    public String explanation() {
        return explanation;
    }
}
