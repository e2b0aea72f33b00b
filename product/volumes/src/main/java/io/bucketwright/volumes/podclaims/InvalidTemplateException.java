package io.bucketwright.volumes.podclaims;

/** The template is not a valid claim; the message is for the author of the pod. */
final class InvalidTemplateException extends Exception {

    private static final long serialVersionUID = 1;

    InvalidTemplateException(String problem) {
        super(problem);
    }
}
