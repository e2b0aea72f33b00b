package io.bucketwright.volumes.podclaims;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers about a volume while its pod waits. Lost with the process, and then only an event may be
 * repeated.
 *
 * @param cleared the inputs for which the pod's service account was found to have the right
 */
record Recollection(@Nullable Trouble lastTold, @Nullable Refusal lastRefusal, String cleared) {

    static Recollection blank() {
        return new Recollection(null, null, "");
    }

    Optional<Trouble> told() {
        return Optional.ofNullable(lastTold);
    }

    Optional<Refusal> refusal() {
        return Optional.ofNullable(lastRefusal);
    }

    Recollection withTold(Trouble trouble) {
        return new Recollection(trouble, lastRefusal, cleared);
    }

    Recollection withRefusal(Refusal refusal) {
        return new Recollection(lastTold, refusal, "");
    }

    Recollection withCleared(String inputs) {
        return new Recollection(lastTold, lastRefusal, inputs);
    }
}
