package io.bucketwright.cosi.controller;

/**
 * What the sidecar says about an access that does not go well.
 *
 * @param text for people; empty if all is well
 * @param failed whether nothing will change by trying again
 */
record ProvisionerMessage(String text, boolean failed) {

    /** How the sidecar begins a message about something that must be changed first. */
    static final String FAILED = "Failed: ";

    static ProvisionerMessage of(String annotation) {
        return annotation.startsWith(FAILED)
                ? new ProvisionerMessage(annotation.substring(FAILED.length()), true)
                : new ProvisionerMessage(annotation, false);
    }
}
