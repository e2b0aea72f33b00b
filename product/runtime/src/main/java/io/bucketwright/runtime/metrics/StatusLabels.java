package io.bucketwright.runtime.metrics;

import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.status.ReadyCondition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeStatus;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Under which labels a metric counts an object.
 *
 * @param phase as the object shows it; {@link #DELETING} while it is being deleted
 * @param reason one word in CamelCase; {@link #NO_REASON} if the object shows none
 */
public record StatusLabels(String phase, String reason) {

    public static final String DELETING = "Deleting";
    /** Of an object that shows no phase yet. */
    public static final String PENDING = "Pending";

    public static final String NO_REASON = "None";

    /** Anyone who may update a status can write any text into it. No such text becomes a label. */
    private static final String OTHER = "Other";

    private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,64}");

    public StatusLabels {
        phase = word(phase);
        reason = word(reason);
    }

    /** An object with a phase and, perhaps, the condition {@code Ready}. */
    public static StatusLabels of(HasMetadata object, String phase, @Nullable Collection<Condition> conditions) {
        return of(
                object,
                phase,
                ReadyCondition.find(conditions).map(Condition::getReason).orElse(NO_REASON));
    }

    /** An object with a phase, and the reason that this process has reported for it. */
    public static StatusLabels of(HasMetadata object, String phase, String reason) {
        return new StatusLabels(Metadata.isBeingDeleted(object) ? DELETING : phase, reason);
    }

    /** A PersistentVolumeClaim, and the reason that this process has reported for it. */
    public static StatusLabels of(PersistentVolumeClaim claim, String reason) {
        return of(
                claim,
                Optional.ofNullable(claim.getStatus())
                        .map(PersistentVolumeClaimStatus::getPhase)
                        .orElse(PENDING),
                reason);
    }

    /** A PersistentVolume, and the reason that this process has reported for it. */
    public static StatusLabels of(PersistentVolume volume, String reason) {
        return of(
                volume,
                Optional.ofNullable(volume.getStatus())
                        .map(PersistentVolumeStatus::getPhase)
                        .orElse(PENDING),
                reason);
    }

    private static String word(String text) {
        return text.isEmpty() ? NO_REASON : WORD.matcher(text).matches() ? text : OTHER;
    }
}
