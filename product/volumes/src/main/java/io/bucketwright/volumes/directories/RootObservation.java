package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.controller.Decision;
import java.util.Optional;
import java.util.function.Function;

/**
 * The observed state of a root.
 *
 * @param hanging how to report that its disk hangs; empty if it does not
 */
record RootObservation(RootState state, Optional<String> hanging) {

    /** Of a class that this process has no root for. */
    static final RootObservation NONE = new RootObservation(new RootState.NotOpened(), Optional.empty());

    /**
     * What comes before work in the root: each problem is reported once, then the root is awaited. Of an unavailable root one
     * problem is reported: two would replace each other at every attempt to open it.
     *
     * @param reported the last message that was reported
     * @param delayed begins the message that the disk hangs
     * @param inaccessible begins the message that the root is unavailable
     * @return empty if the root is open, and also if its disk hangs and that was reported
     */
    <S> Optional<Decision<S>> obstacle(
            String reported, String delayed, String inaccessible, S await, Function<String, Decision<S>> report) {
        Optional<String> hangs = hanging.map(text -> delayed + text + ".");
        boolean hangingReported = hangs.filter(reported::equals).isPresent();
        if (hangs.isPresent() && !hangingReported && !(state instanceof RootState.Unavailable)) {
            return hangs.map(report);
        }
        return switch (state) {
            case RootState.Open _ -> Optional.empty();
            case RootState.NotOpened() -> Optional.of(Decision.act(await));
            case RootState.Unavailable(String reason) -> {
                String message = inaccessible + reason;
                yield Optional.of(
                        hangingReported || reported.equals(message) ? Decision.act(await) : report.apply(message));
            }
        };
    }
}
