package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import java.time.DateTimeException;
import java.time.OffsetDateTime;

/** A user's wish for new credentials. */
final class Rotation {

    private Rotation() {}

    /** The time the user wrote, in one spelling; empty if there is none, or nothing that is a time. */
    static String wanted(BucketAccessRequest request) {
        String text = Marks.annotation(request, CosiNames.ROTATE_AT);
        try {
            return text.isEmpty() ? "" : OffsetDateTime.parse(text).toInstant().toString();
        } catch (DateTimeException e) {
            return "";
        }
    }

    static boolean isNoTime(BucketAccessRequest request) {
        return !Marks.annotation(request, CosiNames.ROTATE_AT).isEmpty()
                && wanted(request).isEmpty();
    }
}
