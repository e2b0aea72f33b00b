package io.bucketwright.runtime.controller;

/** What can end a {@link Problem}. */
public enum Recovery {
    /** Transient: the controller retries with back-off. */
    RETRY,
    /** Somebody must change something that no watch reports, such as a permission: the controller polls with back-off. */
    UNWATCHED_CHANGE,
    /** A watched object must change: the controller does not retry before that. */
    CHANGE
}
