package io.bucketwright.api.cosi.status;

import java.util.Optional;
import java.util.stream.Stream;

/** A value of {@code status.phase}. */
public sealed interface CosiPhase permits BucketAccessPhase, BucketAccessRequestPhase, BucketPhase, BucketRequestPhase {

    /** As in the status. */
    String text();

    /** The phase of that kind with that text; empty for any other text. */
    static <P extends CosiPhase> Optional<P> find(P[] phases, String text) {
        return Stream.of(phases).filter(phase -> phase.text().equals(text)).findFirst();
    }
}
