package io.bucketwright.volumes.directories.classes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** The parameters of a class, by name. */
public enum DirectoryParameters {
    ASSET_ROOT(
            "assetRoot",
            "the root's own path",
            "Where the root is for the nodes: a path, or SERVER:/PATH, which makes NFS volumes."),
    VOLUME_TYPE(
            "volumeType",
            "hostPath, or nfs if assetRoot has a server",
            "hostPath, local (with affinity to the node of --node-name) or nfs."),
    DEFAULT_OWNER_UID("defaultOwnerAssetUid", "none", "Who owns a directory whose claim does not say."),
    DEFAULT_OWNER_GID("defaultOwnerAssetGid", "none", "The group of a directory whose claim does not say."),
    OWNER_UID_RANGE(
            "ownerUidRange", "1-2147483647", "Numbers that a claim, or the default, may name; 0 only if in the range."),
    OWNER_GID_RANGE("ownerGidRange", "1-2147483647", "The same for groups."),
    MODE("mode", "0770", "Permissions of a directory, octal; 2770 sets the setgid bit."),
    NAMING(
            "naming",
            "claim",
            "claim: volumes and directories are called <namespace>-<claim>-vol; uid: pvc-<uid of the claim>."),
    ON_DELETE(
            "onDelete",
            "delete",
            "What becomes of the directory when a volume with reclaim policy Delete goes: delete, archive or retain."),
    MIN_SIZE("minSize", "none", "Claims that ask for less are refused."),
    MAX_SIZE("maxSize", "none", "Claims that ask for more are refused."),
    ROOT_BUDGET(
            "rootBudget",
            "none",
            "What all volumes below the root may have been promised together; claims beyond it wait."),
    PROJECT_QUOTA(
            "projectQuota",
            "auto",
            "Whether the file system enforces sizes: auto (if it can), require (refuse claims if it cannot) or off."),
    ALLOWED_NAMESPACES(
            "allowedNamespaces", "all", "Namespaces whose claims may use the class, with *, separated by commas.");

    private final String key;
    private final String byDefault;
    private final String meaning;

    DirectoryParameters(String key, String byDefault, String meaning) {
        this.key = key;
        this.byDefault = byDefault;
        this.meaning = meaning;
    }

    public String key() {
        return key;
    }

    public String byDefault() {
        return byDefault;
    }

    public String meaning() {
        return meaning;
    }

    /** What the class says about it, read; a text that cannot be read is an invalid class. */
    <R> Optional<R> read(Map<String, String> parameters, Function<String, R> reader) {
        String text = parameters.get(key);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.apply(text.strip()));
        } catch (IllegalArgumentException e) {
            throw new InvalidClass("parameter " + key + " " + e.getMessage());
        }
    }

    static void requireKnown(Map<String, String> parameters) {
        List<String> unknown = new ArrayList<>(new TreeSet<>(parameters.keySet()));
        for (DirectoryParameters known : values()) {
            unknown.remove(known.key);
        }
        // A key with a slash is an extension of somebody else's, as Kubernetes' own are.
        unknown.removeIf(name -> name.contains("/"));
        if (!unknown.isEmpty()) {
            throw new InvalidClass("parameter " + unknown.getFirst() + " is not known");
        }
    }
}
