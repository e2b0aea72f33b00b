package io.bucketwright.volumes.podclaims;

/** The template is not a valid claim; the message is for the author of the pod. */
final class InvalidTemplateException extends Exception {

    private static final long serialVersionUID = 1;

    private final String problem;

    InvalidTemplateException(String problem) {
        super(problem);
        this.problem = problem;
    }

    /** The message, which is never null. */
    String problem() {
        return problem;
    }
}
