package io.bucketwright.volumes.directories.classes;

import static io.bucketwright.volumes.directories.classes.DirectoryParameter.*;

import io.bucketwright.volumes.directories.files.DeletionPolicy;
import io.bucketwright.volumes.directories.files.DirectoryMode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed StorageClass.
 *
 * @param root the path of its directories in this process
 * @param source how nodes mount its directories
 * @param waitsForConsumer whether its volumeBindingMode is WaitForFirstConsumer
 * @param deletes whether its reclaim policy is Delete; otherwise it is Retain
 * @param rootBudget the sum of sizes that claims with a directory in the root may request
 */
public record DirectoryClass(
        String name,
        String provisioner,
        Path root,
        DirectoryVolumeSource source,
        boolean waitsForConsumer,
        boolean deletes,
        OwnerIds uids,
        OwnerIds gids,
        DirectoryMode mode,
        boolean namedByUid,
        DeletionPolicy onDelete,
        long minBytes,
        long maxBytes,
        long rootBudget,
        ProjectQuota quota,
        boolean requireMountPoint,
        List<String> mountOptions,
        NamespacePatterns namespaces) {

    /** The value of {@code rootBudget} for a class without one. It is no size that claims could reach together. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final DirectoryMode DEFAULT_MODE = new DirectoryMode(0770);
    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|\\[[0-9a-fA-F:.]+]");

    /** Whether the file system must enforce sizes. */
    public enum ProjectQuota {
        AUTO,
        REQUIRE,
        OFF
    }

    public DirectoryClass {
        mountOptions = List.copyOf(mountOptions);
    }

    public static DirectoryClass parse(StorageClass storageClass, Path root) {
        Map<String, String> parameters = storageClass.getParameters() == null ? Map.of() : storageClass.getParameters();
        requireKnown(parameters);
        DirectoryVolumeSource source = source(parameters, root);
        boolean waitsForConsumer = "WaitForFirstConsumer".equals(storageClass.getVolumeBindingMode());
        if (source instanceof DirectoryVolumeSource.Local && !waitsForConsumer) {
            throw new InvalidClassException(
                    "volumeType local requires volumeBindingMode WaitForFirstConsumer: the directory is"
                            + " created on the node that the pod is scheduled to");
        }
        @Nullable List<String> options = storageClass.getMountOptions();
        if (options != null && !options.isEmpty() && !(source instanceof DirectoryVolumeSource.Nfs)) {
            throw new InvalidClassException("mountOptions require NFS, and assetRoot of this class has no server");
        }
        DirectoryClass result = new DirectoryClass(
                storageClass.getMetadata().getName(),
                storageClass.getProvisioner(),
                root,
                source,
                waitsForConsumer,
                !"Retain".equals(storageClass.getReclaimPolicy()),
                OwnerIds.parse(parameters, DEFAULT_OWNER_UID, OWNER_UID_RANGE),
                OwnerIds.parse(parameters, DEFAULT_OWNER_GID, OWNER_GID_RANGE),
                MODE.read(parameters, DirectoryMode::parse).orElse(DEFAULT_MODE),
                NAMING.read(parameters, DirectoryClass::namedByUid).orElse(false),
                ON_DELETE.read(parameters, DeletionPolicy::parse).orElse(DeletionPolicy.DELETE),
                MIN_SIZE.read(parameters, StorageSize::parse).orElse(0L),
                MAX_SIZE.read(parameters, StorageSize::parse).orElse(Long.MAX_VALUE),
                ROOT_BUDGET.read(parameters, StorageSize::parse).orElse(UNLIMITED),
                PROJECT_QUOTA.read(parameters, DirectoryClass::quota).orElse(ProjectQuota.AUTO),
                REQUIRE_MOUNT_POINT.read(parameters, DirectoryClass::yes).orElse(false),
                options == null ? List.of() : options,
                ALLOWED_NAMESPACES.read(parameters, NamespacePatterns::parse).orElse(NamespacePatterns.ALL));
        if (result.minBytes > result.maxBytes) {
            throw new InvalidClassException("parameter " + MIN_SIZE.key() + " is larger than " + MAX_SIZE.key());
        }
        return result;
    }

    /** Whether a class that this process serves allows its root only as a mount point. Other parameters may be invalid. */
    public static boolean requiresMountPoint(StorageClass storageClass, DirectorySettings settings) {
        Map<String, String> parameters = storageClass.getParameters() == null ? Map.of() : storageClass.getParameters();
        return "true"
                        .equals(parameters
                                .getOrDefault(REQUIRE_MOUNT_POINT.key(), "")
                                .strip())
                && "local".equals(parameters.get(VOLUME_TYPE.key()))
                        != settings.node().isEmpty();
    }

    private static DirectoryVolumeSource source(Map<String, String> parameters, Path root) {
        String published = ASSET_ROOT.read(parameters, text -> text).orElse(root.toString());
        int colon = published.lastIndexOf(":/");
        String type = VOLUME_TYPE.read(parameters, text -> text).orElse(colon > 0 ? "nfs" : "hostPath");
        String path = colon > 0 ? published.substring(colon + 1) : published;
        Path parsed = Path.of(path);
        boolean isServerRoot = colon > 0 && parsed.getNameCount() == 0;
        if (!parsed.isAbsolute()
                || !parsed.normalize().toString().equals(path)
                || (parsed.getNameCount() == 0 && !isServerRoot)) {
            throw new InvalidClassException("parameter " + ASSET_ROOT.key()
                    + " must be an absolute path without empty segments, . or ..; the path / is allowed only with a"
                    + " server, as SERVER:/");
        }
        return switch (type) {
            case "hostPath" -> withoutServer(new DirectoryVolumeSource.HostPath(path), colon);
            case "local" -> withoutServer(new DirectoryVolumeSource.Local(path), colon);
            case "nfs" -> {
                if (colon <= 0 || !SERVER.matcher(published.substring(0, colon)).matches()) {
                    throw new InvalidClassException("volumeType nfs requires assetRoot SERVER:/PATH");
                }
                yield new DirectoryVolumeSource.Nfs(published.substring(0, colon), path);
            }
            default ->
                throw new InvalidClassException("parameter " + VOLUME_TYPE.key() + " must be hostPath, local or nfs");
        };
    }

    private static DirectoryVolumeSource withoutServer(DirectoryVolumeSource source, int colon) {
        if (colon > 0) {
            throw new InvalidClassException("assetRoot with a server requires volumeType nfs");
        }
        return source;
    }

    private static boolean namedByUid(String text) {
        return switch (text) {
            case "uid" -> true;
            case "claim" -> false;
            default -> throw new IllegalArgumentException("must be claim or uid");
        };
    }

    private static boolean yes(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }

    private static ProjectQuota quota(String text) {
        return switch (text) {
            case "auto" -> ProjectQuota.AUTO;
            case "require" -> ProjectQuota.REQUIRE;
            case "off" -> ProjectQuota.OFF;
            default -> throw new IllegalArgumentException("must be auto, require or off");
        };
    }
}
