package io.bucketwright.volumes.directories;

import static io.bucketwright.runtime.objects.SafeText.quoted;
import static io.bucketwright.volumes.directories.DirectoryAnnotations.RECLAIM_POLICY;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectoryParameter;
import io.bucketwright.volumes.directories.classes.OwnerIds;
import io.bucketwright.volumes.directories.classes.StorageSize;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DirectoryOwner;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a claim requests, within the limits of its class.
 *
 * @param marker the marker to write
 * @param deletes whether the volume's reclaim policy is Delete; otherwise it is Retain
 */
record DirectoryRequest(PersistentVolumeClaim claim, DirectoryClass directoryClass, Marker marker, boolean deletes) {

    /** A claim that cannot be provisioned unless the claim or its class changes; the message states the problem. */
    static final class InvalidClaimException extends RuntimeException {

        private InvalidClaimException(String message) {
            super(message);
        }
    }

    /**
     * Parses a claim.
     *
     * @param root the id of the class's root
     * @param node the node whose disk this process serves; empty for shared roots
     * @throws InvalidClaimException if the claim cannot be provisioned
     */
    static DirectoryRequest parse(
            PersistentVolumeClaim claim,
            DirectoryClass directoryClass,
            String namespaceUid,
            String clusterId,
            String root,
            String node) {
        validate(claim, directoryClass);
        ObjectMeta metadata = claim.getMetadata();
        Marker marker = new Marker(
                DirectoryVolumes.name(ObjectKey.of(claim), directoryClass.namedByUid()),
                new ClaimIdentity(metadata.getNamespace(), metadata.getName(), metadata.getUid(), namespaceUid),
                clusterId,
                directoryClass.provisioner(),
                root,
                directoryClass.name(),
                directoryClass.source().published(),
                node,
                owner(claim, directoryClass),
                directoryClass.mode(),
                size(claim, directoryClass),
                directoryClass.onDelete(),
                Marker.State.IN_USE,
                "");
        return new DirectoryRequest(claim, directoryClass, marker, deletes(claim, directoryClass));
    }

    /** Whether the claim wants the directory that an earlier claim of its name left. */
    boolean reusesExisting() {
        String value = Metadata.annotation(claim, DirectoryAnnotations.REUSE_EXISTING);
        return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("yes");
    }

    private static void validate(PersistentVolumeClaim claim, DirectoryClass directoryClass) {
        if (claim.getSpec().getSelector() != null) {
            throw new InvalidClaimException("The claim has a selector, so it can only be bound to an existing volume."
                    + " Remove the selector to have a volume provisioned.");
        }
        if ("Block".equals(claim.getSpec().getVolumeMode())) {
            throw new InvalidClaimException("The claim requests volumeMode Block, but a directory is not a block"
                    + " device. Request Filesystem, or use another class.");
        }
        if (claim.getSpec().getDataSource() != null || claim.getSpec().getDataSourceRef() != null) {
            throw new InvalidClaimException(
                    "The claim has a dataSource or dataSourceRef, but a directory is always created"
                            + " empty. Remove it and copy the data after the claim is bound, or use another class.");
        }
        String namespace = claim.getMetadata().getNamespace();
        if (!directoryClass.namespaces().allows(namespace)) {
            throw new InvalidClaimException("Class " + directoryClass.name() + " does not allow namespace " + namespace
                    + ": see its parameter allowedNamespaces.");
        }
    }

    /** The owner for a directory that exists already; what neither claim nor class specifies stays as it is. */
    static DirectoryOwner ownerOr(DirectoryOwner existing, PersistentVolumeClaim claim, DirectoryClass directoryClass) {
        return new DirectoryOwner(
                uid(claim, directoryClass).orElse(existing.uid()),
                gid(claim, directoryClass).orElse(existing.gid()));
    }

    private static DirectoryOwner owner(PersistentVolumeClaim claim, DirectoryClass directoryClass) {
        return new DirectoryOwner(
                uid(claim, directoryClass)
                        .orElseThrow(() -> unspecified(
                                "uid", DirectoryAnnotations.OWNER_UID, DirectoryParameter.DEFAULT_OWNER_UID)),
                gid(claim, directoryClass)
                        .orElseThrow(() -> unspecified(
                                "gid", DirectoryAnnotations.OWNER_GID, DirectoryParameter.DEFAULT_OWNER_GID)));
    }

    private static InvalidClaimException unspecified(String type, List<String> keys, DirectoryParameter parameter) {
        return new InvalidClaimException("The owner " + type + " of the directory is not specified: set annotation "
                + keys.getFirst() + " on the claim or parameter " + parameter.key() + " in its class.");
    }

    private static Optional<Long> uid(PersistentVolumeClaim claim, DirectoryClass directoryClass) {
        return id(claim, DirectoryAnnotations.OWNER_UID, directoryClass.uids(), "uid");
    }

    private static Optional<Long> gid(PersistentVolumeClaim claim, DirectoryClass directoryClass) {
        return id(claim, DirectoryAnnotations.OWNER_GID, directoryClass.gids(), "gid");
    }

    private static Optional<Long> id(PersistentVolumeClaim claim, List<String> keys, OwnerIds allowed, String type) {
        Optional<String> requested = DirectoryAnnotations.first(claim, keys);
        if (requested.isEmpty()) {
            return allowed.defaultId();
        }
        try {
            long id = OwnerIds.parseId(requested.get().strip());
            if (!allowed.contains(id)) {
                throw new InvalidClaimException("The claim requests owner " + type + " " + id
                        + ", which is outside the range " + allowed + " that its class allows.");
            }
            return Optional.of(id);
        } catch (IllegalArgumentException e) {
            throw new InvalidClaimException("Annotation " + keys.getFirst() + " of the claim " + e.getMessage()
                    + ", not " + quoted(requested.get()) + ".");
        }
    }

    private static long size(PersistentVolumeClaim claim, DirectoryClass directoryClass) {
        @Nullable
        Map<String, Quantity> requests = claim.getSpec().getResources() == null
                ? null
                : claim.getSpec().getResources().getRequests();
        @Nullable Quantity storage = requests == null ? null : requests.get("storage");
        if (storage == null) {
            throw new InvalidClaimException("The claim does not request a storage size.");
        }
        long bytes;
        try {
            bytes = StorageSize.parse(storage.toString());
        } catch (IllegalArgumentException e) {
            throw new InvalidClaimException("The claim's storage request is not a valid number of bytes.");
        }
        if (bytes < directoryClass.minBytes()) {
            throw outsideLimits(bytes, directoryClass, "least", directoryClass.minBytes());
        }
        if (bytes > directoryClass.maxBytes()) {
            throw outsideLimits(bytes, directoryClass, "most", directoryClass.maxBytes());
        }
        return bytes;
    }

    private static InvalidClaimException outsideLimits(
            long bytes, DirectoryClass directoryClass, String limit, long limitBytes) {
        return new InvalidClaimException("The claim requests " + StorageSize.text(bytes) + ", but class "
                + directoryClass.name() + " requires at " + limit + " " + StorageSize.text(limitBytes) + ".");
    }

    private static boolean deletes(PersistentVolumeClaim claim, DirectoryClass directoryClass) {
        Optional<String> requested = DirectoryAnnotations.first(claim, List.of(RECLAIM_POLICY));
        if (requested.isEmpty()) {
            return directoryClass.deletes();
        }
        return switch (requested.get()) {
            case "Retain" -> false;
            case "Delete" -> {
                if (!directoryClass.deletes()) {
                    throw new InvalidClaimException("Annotation " + RECLAIM_POLICY + " requests Delete, but the reclaim"
                            + " policy of class " + directoryClass.name()
                            + " is Retain: a claim cannot be more destructive than its class.");
                }
                yield true;
            }
            default ->
                throw new InvalidClaimException("Annotation " + RECLAIM_POLICY + " must be Delete or Retain, not "
                        + quoted(requested.get()) + ".");
        };
    }
}
