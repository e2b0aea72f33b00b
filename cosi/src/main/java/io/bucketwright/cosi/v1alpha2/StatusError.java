package io.bucketwright.cosi.v1alpha2;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bucketwright.api.text.EmptyIfAbsent;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last problem of an object. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record StatusError(
        @EmptyIfAbsent String time, @EmptyIfAbsent String message) {

    /** The message of an error that may be absent. */
    public static String messageOf(@Nullable StatusError error) {
        return error == null ? "" : error.message();
    }

    /**
     * Fields of a merge patch of a status.
     *
     * @param message of the error; empty removes it
     */
    public static Map<String, @Nullable Object> fields(boolean readyToUse, String message, Instant now) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("readyToUse", readyToUse);
        fields.put("error", message.isEmpty() ? null : Map.of("time", now.toString(), "message", message));
        return fields;
    }
}
