package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of a run.
 *
 * @param driver name of the driver
 * @param protocol that the driver supports; the dialect if it reports none
 * @param outcomes of all checks, in order
 * @param leftBehind what could not be deleted, and why
 */
public record SanityReport(String driver, String protocol, List<CheckResult> outcomes, List<String> leftBehind) {

    public SanityReport {
        outcomes = List.copyOf(outcomes);
        leftBehind = List.copyOf(leftBehind);
    }

    /** Whether no check failed and nothing was left behind. */
    public boolean passed() {
        return ids(Verdict.FAILED).isEmpty() && leftBehind.isEmpty();
    }

    public Set<String> ids(Verdict verdict) {
        return outcomes.stream()
                .filter(outcome -> outcome.verdict() == verdict)
                .map(CheckResult::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The last lines for people: the numbers, and what was left behind. */
    public String summary() {
        StringBuilder text = new StringBuilder("%d passed, %d failed, %d skipped.%n"
                .formatted(
                        ids(Verdict.PASSED).size(),
                        ids(Verdict.FAILED).size(),
                        ids(Verdict.SKIPPED).size()));
        leftBehind.forEach(what -> text.append("Left behind: ").append(what).append(System.lineSeparator()));
        return text.toString();
    }
}
