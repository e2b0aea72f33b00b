package io.bucketwright.cosi.controller.objects;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.objects.Metadata;
import java.time.DateTimeException;
import java.time.OffsetDateTime;

/** The annotation with which a user requests new credentials. */
public final class RotationTime {

    private RotationTime() {}

    /** The time in one spelling; empty if there is none, or the text is not a time. */
    public static String of(BucketAccessRequest request) {
        String text = Metadata.annotation(request, CosiNames.ROTATE_AT);
        try {
            return text.isEmpty() ? "" : OffsetDateTime.parse(text).toInstant().toString();
        } catch (DateTimeException e) {
            return "";
        }
    }

    public static boolean isMalformed(BucketAccessRequest request) {
        return !Metadata.annotation(request, CosiNames.ROTATE_AT).isEmpty()
                && of(request).isEmpty();
    }
}
