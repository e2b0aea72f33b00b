package io.bucketwright.app.doctor.checks;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.bucketwright.app.doctor.observation.CheckName;
import io.bucketwright.runtime.objects.SafeText;

/**
 * Something that a check found.
 *
 * @param reason one word in CamelCase
 * @param message what it means
 * @param action what to do, often a command; empty if nothing is to be done
 */
@JsonPropertyOrder({"severity", "check", "reason", "object", "message", "action"})
public record Finding(
        Severity severity, CheckName check, String reason, FoundObject object, String message, String action) {

    /** The reason of a finding about something that the user may not read. */
    public static final String NOT_CHECKED = "NotChecked";

    private static final int LONGEST = 1000;

    /** Messages contain text that others wrote, such as conditions. */
    public Finding {
        message = SafeText.line(message, LONGEST);
        action = SafeText.line(action, LONGEST);
    }
}
