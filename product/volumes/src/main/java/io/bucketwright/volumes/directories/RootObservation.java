package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.volumes.directories.files.RootIdentity;
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
     * Decides on work in the root: each problem is reported once, then the root is awaited. Of an unavailable root one problem
     * is reported: two would replace each other at every attempt to open it.
     *
     * @param reported the last message that was reported
     * @param delayed begins the message that the disk hangs
     * @param inaccessible begins the message that the root is unavailable
     * @param work decides when the root is open, also if its disk hangs and that was reported
     */
    <S> Decision<S> decide(
            String reported,
            String delayed,
            String inaccessible,
            S await,
            Function<String, Decision<S>> report,
            Function<RootIdentity, Decision<S>> work) {
        Optional<String> hangs = hanging.map(text -> delayed + text + ".");
        boolean hangingReported = hangs.filter(reported::equals).isPresent();
        if (hangs.isPresent() && !hangingReported && !(state instanceof RootState.Unavailable)) {
            return report.apply(hangs.get());
        }
        return switch (state) {
            case RootState.Open(RootIdentity identity) -> work.apply(identity);
            case RootState.NotOpened() -> Decision.act(await);
            case RootState.Unavailable(String reason) -> {
                String message = inaccessible + reason;
                yield hangingReported || reported.equals(message) ? Decision.act(await) : report.apply(message);
            }
        };
    }
}
