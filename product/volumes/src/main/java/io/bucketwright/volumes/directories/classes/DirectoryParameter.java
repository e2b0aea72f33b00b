package io.bucketwright.volumes.directories.classes;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The parameters of a StorageClass; docs/directories.md has the same table. */
public enum DirectoryParameter {
    ASSET_ROOT(
            "assetRoot", "the root's own path", "The path of the root on the nodes, or SERVER:/PATH for NFS volumes."),
    VOLUME_TYPE(
            "volumeType",
            "hostPath, or nfs if assetRoot has a server",
            "hostPath, local (with affinity to the node of --node-name) or nfs."),
    DEFAULT_OWNER_UID("defaultOwnerAssetUid", "none", "The owner of a directory whose claim has no owner annotation."),
    DEFAULT_OWNER_GID("defaultOwnerAssetGid", "none", "The group of a directory whose claim has no group annotation."),
    OWNER_UID_RANGE(
            "ownerUidRange",
            "1-2147483647",
            "The user ids that claims and the default may use; 0 only if it is in the range."),
    OWNER_GID_RANGE("ownerGidRange", "1-2147483647", "The same for group ids."),
    MODE("mode", "0770", "Permissions of a directory, octal; 2770 sets the setgid bit."),
    NAMING(
            "naming",
            "claim",
            "claim: the name of volume and directory is <namespace>-<claim>-vol; uid: it is pvc-<uid of the claim>."),
    ON_DELETE(
            "onDelete",
            "delete",
            "What happens to the directory when a volume with reclaim policy Delete is released: delete, archive or retain."),
    MIN_SIZE("minSize", "none", "The smallest size that a claim may request."),
    MAX_SIZE("maxSize", "none", "The largest size that a claim may request."),
    ROOT_BUDGET(
            "rootBudget",
            "none",
            "The sum of sizes that claims of any class with a directory in the root may request; a claim that exceeds it waits."),
    PROJECT_QUOTA(
            "projectQuota",
            "auto",
            "Whether the file system enforces sizes: auto (if it supports project quotas), require (reject claims if it does not) or off."),
    REQUIRE_MOUNT_POINT(
            "requireMountPoint",
            "false",
            "true: use the root only while a file system is mounted at it, so that nothing is created below the mount point of a missing disk."),
    ALLOWED_NAMESPACES(
            "allowedNamespaces",
            "all",
            "The namespaces that may use the class, separated by commas; * matches any characters.");

    private final String key;
    private final String defaultValue;
    private final String meaning;

    DirectoryParameter(String key, String defaultValue, String meaning) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.meaning = meaning;
    }

    public String key() {
        return key;
    }

    public String defaultValue() {
        return defaultValue;
    }

    public String meaning() {
        return meaning;
    }

    /** Parses the parameter; an invalid value makes the class invalid. */
    <R> Optional<R> read(Map<String, String> parameters, Function<String, R> reader) {
        String text = parameters.get(key);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.apply(text.strip()));
        } catch (IllegalArgumentException e) {
            throw new InvalidClassException("parameter " + key + " " + e.getMessage());
        }
    }

    /** Rejects unknown parameters. A key with a slash belongs to another program, as those of Kubernetes do. */
    static void requireKnown(Map<String, String> parameters) {
        Set<String> known = Arrays.stream(values()).map(DirectoryParameter::key).collect(Collectors.toSet());
        for (String name : new TreeSet<>(parameters.keySet())) {
            if (!known.contains(name) && !name.contains("/")) {
                throw new InvalidClassException("parameter " + name + " is unknown");
            }
        }
    }
}
