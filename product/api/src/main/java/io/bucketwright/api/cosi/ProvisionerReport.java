package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;

/**
 * Why a sidecar has not granted or revoked an access yet. The sidecar writes it as JSON into the annotation {@code
 * cosi.io/provisioner-report} of the BucketAccess, whose status belongs to the controller; the controller shows it there
 * and in the BucketAccessRequest.
 *
 * @param phase Retrying, or Failed if the problem requires a change
 * @param message what happened and what to do; contains no secret
 */
public record ProvisionerReport(BucketAccessPhase phase, ProvisionerReason reason, String message) {

    private static final int VERSION = 1;

    /** The annotation of a BucketAccess, empty if it has none. Text in no known format is shown as it is. */
    public static Optional<ProvisionerReport> of(BucketAccess access) {
        return Optional.ofNullable(access.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(CosiNames.PROVISIONER_REPORT))
                .filter(text -> !text.isEmpty())
                .map(ProvisionerReport::parse);
    }

    /** Reads the annotation's value. Text in no known format is a report with an unknown reason. */
    public static ProvisionerReport parse(String text) {
        return json(text)
                .filter(json -> json.version() == VERSION)
                .map(json -> new ProvisionerReport(
                        BucketAccessPhase.FAILED.text().equals(json.phase())
                                ? BucketAccessPhase.FAILED
                                : BucketAccessPhase.RETRYING,
                        ProvisionerReason.of(json.reason()),
                        json.message()))
                .orElseGet(() -> new ProvisionerReport(BucketAccessPhase.RETRYING, ProvisionerReason.UNKNOWN, text));
    }

    /** The annotation's value. */
    public String encode() {
        return Serialization.asJson(new Json(VERSION, phase.text(), reason.text(), message));
    }

    /** Whether retries do not help. */
    public boolean isFailed() {
        return phase == BucketAccessPhase.FAILED;
    }

    /** Whether both report the same problem; the message of a retry may differ from attempt to attempt. */
    public boolean isSameProblem(ProvisionerReport other) {
        return isFailed() ? equals(other) : phase == other.phase && reason == other.reason;
    }

    /** Reason and message in one line. */
    public String summary() {
        return reason == ProvisionerReason.UNKNOWN ? message : reason.text() + ": " + message;
    }

    private static Optional<Json> json(String text) {
        try {
            return Optional.ofNullable(Serialization.unmarshal(text, Json.class));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonPropertyOrder({"version", "phase", "reason", "message"})
    private record Json(
            int version,
            @EmptyIfAbsent String phase,
            @EmptyIfAbsent String reason,
            @EmptyIfAbsent String message) {}
}
