package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccessPhase;

/**
 * What the sidecar says about an access that does not go well.
 *
 * @param text for people; empty if all is well
 * @param failed whether nothing will change by trying again
 */
record ProvisionerMessage(String text, boolean failed) {

    /** How the sidecar begins a message about something that must be changed first. */
    private static final String FAILED = BucketAccessPhase.FAILED.text() + ": ";

    private static final String RETRYING = BucketAccessPhase.RETRYING.text() + ": ";

    static ProvisionerMessage of(String annotation) {
        if (annotation.startsWith(FAILED)) {
            return new ProvisionerMessage(annotation.substring(FAILED.length()), true);
        }
        return new ProvisionerMessage(
                annotation.startsWith(RETRYING) ? annotation.substring(RETRYING.length()) : annotation, false);
    }
}
