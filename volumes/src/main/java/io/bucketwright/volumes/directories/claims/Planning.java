package io.bucketwright.volumes.directories.claims;

import static io.bucketwright.volumes.directories.setup.Words.quoted;

import io.bucketwright.volumes.directories.classes.Bytes;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.IdNumber;
import io.bucketwright.volumes.directories.classes.IdRange;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.Owner;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.VolumeName;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads what a claim asks for, under the rules of its class. Whatever a tenant wrote is hostile until it has been here. */
final class Planning {

    private static final class Refusal extends RuntimeException {
        Refusal(String message) {
            super(message);
        }
    }

    private final Settings settings;

    Planning(Settings settings) {
        this.settings = settings;
    }

    AssetName name(PersistentVolumeClaim claim, DirectoryClass directoryClass) {
        return VolumeName.of(
                claim.getMetadata().getNamespace(),
                claim.getMetadata().getName(),
                claim.getMetadata().getUid(),
                directoryClass.namedByUid());
    }

    Wish read(PersistentVolumeClaim claim, DirectoryClass directoryClass, String namespaceUid, String root) {
        try {
            return new Wish.Granted(plan(claim, directoryClass, namespaceUid, root));
        } catch (Refusal e) {
            return new Wish.Refused(String.valueOf(e.getMessage()));
        }
    }

    private Plan plan(PersistentVolumeClaim claim, DirectoryClass of, String namespaceUid, String root) {
        if (claim.getSpec().getSelector() != null) {
            throw new Refusal("The claim has a selector, so it waits for a volume that somebody else makes: none is"
                    + " made for it. Remove the selector to get a new one.");
        }
        if ("Block".equals(claim.getSpec().getVolumeMode())) {
            throw new Refusal("The claim asks for volumeMode Block, and a directory is no block device. Ask for"
                    + " Filesystem, or use another class.");
        }
        if (!of.namespaces().allows(claim.getMetadata().getNamespace())) {
            throw new Refusal("Class " + of.name() + " may not be used in namespace "
                    + claim.getMetadata().getNamespace() + ": its administrator allows other ones only.");
        }
        Marker marker = new Marker(
                name(claim, of),
                new ClaimIdentity(
                        claim.getMetadata().getNamespace(),
                        claim.getMetadata().getName(),
                        claim.getMetadata().getUid(),
                        namespaceUid),
                settings.clusterId().get(),
                of.provisioner(),
                root,
                of.name(),
                of.backing().published(),
                settings.node(),
                new Owner(
                        id(claim, Words.OWNER_UID, of.defaultUid(), of.uids(), "uid", "defaultOwnerAssetUid"),
                        id(claim, Words.OWNER_GID, of.defaultGid(), of.gids(), "gid", "defaultOwnerAssetGid")),
                of.mode(),
                size(claim, of),
                of.onDelete(),
                Marker.State.HELD,
                "");
        return new Plan(claim, of, marker, deletes(claim, of), reuses(claim));
    }

    private static long id(
            PersistentVolumeClaim claim,
            List<String> annotations,
            OptionalLong byDefault,
            IdRange range,
            String what,
            String parameter) {
        Optional<String> wanted = Words.annotation(claim, annotations);
        if (wanted.isEmpty()) {
            return byDefault.orElseThrow(() -> new Refusal("Nobody says which " + what
                    + " owns the directory: set annotation " + annotations.getFirst() + " on the claim or parameter "
                    + parameter + " in its class."));
        }
        try {
            long id = IdNumber.parse(wanted.get().strip());
            if (!range.contains(id)) {
                throw new Refusal("The " + what + " " + id + " that the claim wants as owner is outside " + range
                        + ", which is what its class allows.");
            }
            return id;
        } catch (IllegalArgumentException e) {
            throw new Refusal("Annotation " + annotations.getFirst() + " of the claim " + e.getMessage() + ", not "
                    + quoted(wanted.get()) + ".");
        }
    }

    private static long size(PersistentVolumeClaim claim, DirectoryClass of) {
        @Nullable
        Map<String, Quantity> requests = claim.getSpec().getResources() == null
                ? null
                : claim.getSpec().getResources().getRequests();
        @Nullable Quantity storage = requests == null ? null : requests.get("storage");
        if (storage == null) {
            throw new Refusal("The claim does not say how much storage it wants.");
        }
        long bytes;
        try {
            bytes = Bytes.parse(storage.toString());
        } catch (IllegalArgumentException e) {
            throw new Refusal("The claim's storage request is not an amount that can be counted in bytes.");
        }
        if (bytes < of.minBytes()) {
            throw new Refusal("The claim asks for " + Bytes.text(bytes) + ", and class " + of.name()
                    + " gives no less than " + Bytes.text(of.minBytes()) + ".");
        }
        if (bytes > of.maxBytes()) {
            throw new Refusal("The claim asks for " + Bytes.text(bytes) + ", and class " + of.name()
                    + " gives no more than " + Bytes.text(of.maxBytes()) + ".");
        }
        return bytes;
    }

    private static boolean deletes(PersistentVolumeClaim claim, DirectoryClass of) {
        Optional<String> wanted = Words.annotation(claim, Words.RECLAIM_POLICY);
        if (wanted.isEmpty()) {
            return of.deletes();
        }
        return switch (wanted.get()) {
            case "Retain" -> false;
            case "Delete" -> {
                if (!of.deletes()) {
                    throw new Refusal("Annotation " + Words.RECLAIM_POLICY + " asks for Delete, and class " + of.name()
                            + " retains: a claim may not be more destructive than its class.");
                }
                yield true;
            }
            default ->
                throw new Refusal("Annotation " + Words.RECLAIM_POLICY + " must be Delete or Retain, not "
                        + quoted(wanted.get()) + ".");
        };
    }

    private static boolean reuses(PersistentVolumeClaim claim) {
        return Words.annotation(claim, Words.REUSE_EXISTING)
                .filter(value -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("yes"))
                .isPresent();
    }
}
