package io.bucketwright.cosi.sanity;

import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One rule that a driver must follow.
 *
 * @param id identifies the check in reports
 * @param title the rule, as a sentence about the driver
 * @param needs what the dialect or the options must provide; without it the check is skipped
 * @param body throws {@link CheckFailed} if the driver breaks the rule, {@link CheckSkipped} if that cannot be tested
 */
record SanityCheck(String id, String title, Set<CheckNeed> needs, Consumer<SanityClient> body) {

    SanityCheck {
        needs = Set.copyOf(needs);
    }

    static SanityCheck check(String id, String title, Consumer<SanityClient> body) {
        return new SanityCheck(id, title, Set.of(), body);
    }

    /** A check for drivers and options that provide this. */
    static SanityCheck check(CheckNeed need, String id, String title, Consumer<SanityClient> body) {
        return new SanityCheck(id, title, Set.of(need), body);
    }

    static SanityCheck check(CheckNeed need, CheckNeed other, String id, String title, Consumer<SanityClient> body) {
        return new SanityCheck(id, title, Set.of(need, other), body);
    }

    /** Whether the rule can apply to drivers of this dialect. A check of another dialect is not even skipped. */
    boolean isOf(SanityDialect dialect) {
        return Stream.of(CheckNeed.COSI_V1, CheckNeed.RELEASED)
                .filter(needs::contains)
                .allMatch(dialect.provides()::contains);
    }

    /**
     * Tests the rule.
     *
     * @throws CheckFailed if the driver breaks it
     * @throws CheckSkipped if it cannot be tested
     */
    void run(SanityClient client) {
        String missing = needs.stream()
                .filter(need -> !client.provides().contains(need))
                .sorted()
                .map(CheckNeed::text)
                .collect(Collectors.joining(" and "));
        if (!missing.isEmpty()) {
            throw new CheckSkipped("the check needs " + missing);
        }
        body.accept(client);
    }
}
