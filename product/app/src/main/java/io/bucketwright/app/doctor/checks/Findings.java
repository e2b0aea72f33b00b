package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.observation.CheckName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What one check found, in the order in which it looked. */
final class Findings {
    private final CheckName check;
    private final List<Finding> all = new ArrayList<>();

    Findings(CheckName check) {
        this.check = check;
    }

    List<Finding> all() {
        return all;
    }

    void error(String reason, FoundObject object, String message, String action) {
        all.add(new Finding(Severity.ERROR, check, reason, object, message, action));
    }

    void warning(String reason, FoundObject object, String message, String action) {
        all.add(new Finding(Severity.WARNING, check, reason, object, message, action));
    }

    void info(String reason, FoundObject object, String message, String action) {
        all.add(new Finding(Severity.INFO, check, reason, object, message, action));
    }

    /** The end of a sentence that lists these, but not all of very many. */
    static String firstOf(List<String> names, int shown) {
        String first = names.stream().limit(shown).collect(Collectors.joining(", "));
        return names.size() > shown ? first + " and " + (names.size() - shown) + " more." : first + ".";
    }
}
