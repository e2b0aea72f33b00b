package io.bucketwright.app.claim;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.app.claim.WaitOptions.Progress;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A requested rotation of the credentials of a BucketAccess of {@code objectstorage.k8s.io}. Tenants may not read the record
 * of the sidecar, so its progress is that of the Secret and of the events.
 *
 * @param earlier the resource versions of the events that were there before the request
 */
record AccessRotation(ReleasedBucketAccess access, String at, Set<String> earlier) {

    private static final Set<String> REASONS = Set.of(
            ReleasedReason.ACCESS_ROTATED, ReleasedReason.ROTATION_NOT_SUPPORTED, ReleasedReason.FAILED_ROTATE_ACCESS);

    AccessRotation {
        earlier = Set.copyOf(earlier);
    }

    /**
     * Requests the rotation.
     *
     * @throws CommandException if the access does not exist, or has no credentials
     */
    static AccessRotation request(ClaimClient claims, String namespace, String name, String at) {
        String key = "BucketAccess " + namespace + "/" + name;
        ClaimClient.Lookup<ReleasedBucketAccess> found = claims.lookup(ReleasedBucketAccess.class, namespace, name);
        if (!found.allowed()) {
            throw new CommandException("Forbidden: cannot read " + key + ".");
        }
        ReleasedBucketAccess access = found.object()
                .orElseThrow(() -> new CommandException(key + " does not exist. `kubectl get bucketaccesses."
                        + ReleasedNames.GROUP + " -A` lists all of them."));
        if (Metadata.isBeingDeleted(access) || !access.status().accessGranted()) {
            throw new CommandException(key + " has no credentials to rotate: it is "
                    + (Metadata.isBeingDeleted(access) ? "being deleted." : "not granted.")
                    + " `bucketwright claim describe bucketaccess/" + name + "` says why.");
        }
        Set<String> earlier = claims.events(access, namespace).stream()
                .map(AccessRotation::version)
                .collect(Collectors.toSet());
        claims.annotate(key, access, CosiNames.ROTATE_AT, at);
        return new AccessRotation(access, at, earlier);
    }

    /** How far it is now. */
    Progress progress(ClaimClient claims) {
        String namespace = access.getMetadata().getNamespace();
        return progress(
                claims.lookup(Secret.class, namespace, access.spec().credentialsSecretName())
                        .object()
                        .map(secret -> Metadata.annotation(secret, CosiNames.ROTATED_AT))
                        .orElse(""),
                claims.events(access, namespace));
    }

    /**
     * How far it is.
     *
     * @param rotatedAt of the Secret; empty if the user may not read it: then the event tells
     * @throws CommandException if the driver cannot rotate credentials
     */
    Progress progress(String rotatedAt, List<Event> events) {
        if (rotatedAt.equals(at)) {
            return new Progress.Done();
        }
        Optional<Event> newest = newest(events);
        if (newest.isEmpty()) {
            return new Progress.Waiting(
                    "Waiting for the sidecar. It rotates at once unless an earlier rotation is not over:"
                            + " the previous credentials are revoked first. Only Bucketwright's sidecar rotates credentials.");
        }
        String message = ClaimText.plain(newest.get().getMessage());
        return switch (newest.get().getReason()) {
            case ReleasedReason.ACCESS_ROTATED -> new Progress.Done();
            case ReleasedReason.ROTATION_NOT_SUPPORTED -> throw new CommandException(message);
            default -> new Progress.Waiting("Waiting: " + message);
        };
    }

    /** What the event says, which follows the Secret and may not be there yet. */
    String result(ClaimClient claims) {
        return newest(claims.events(access, access.getMetadata().getNamespace()))
                .map(event -> ClaimText.plain(event.getMessage()))
                .orElse("Secret " + access.spec().credentialsSecretName() + " contains new credentials.");
    }

    private Optional<Event> newest(List<Event> events) {
        return events.stream()
                .filter(event ->
                        REASONS.contains(ClaimText.plain(event.getReason())) && !earlier.contains(version(event)))
                .reduce((_, later) -> later);
    }

    private static String version(Event event) {
        return event.getMetadata().getResourceVersion();
    }
}
