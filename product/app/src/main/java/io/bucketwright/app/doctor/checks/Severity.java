package io.bucketwright.app.doctor.checks;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How serious a finding is. Errors and warnings are problems; information is not. */
public enum Severity {
    /** Something does not work. */
    ERROR,
    /** Something works, but somebody should act before it no longer does. */
    WARNING,
    /** Something could not be checked, or is unusual and works. */
    INFO;

    /** The name in the output. */
    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
