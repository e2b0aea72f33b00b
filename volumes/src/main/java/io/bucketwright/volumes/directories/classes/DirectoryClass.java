package io.bucketwright.volumes.directories.classes;

import static io.bucketwright.volumes.directories.classes.DirectoryParameters.*;

import io.bucketwright.volumes.directories.files.Mode;
import io.bucketwright.volumes.directories.files.OnDelete;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A StorageClass of ours, read.
 *
 * @param root where its directories are for this process
 * @param waits whether a volume is made only once a pod's node is chosen
 * @param deletes the class's reclaim policy is Delete
 */
public record DirectoryClass(
        String name,
        String provisioner,
        Path root,
        Backing backing,
        boolean waits,
        boolean deletes,
        OptionalLong defaultUid,
        OptionalLong defaultGid,
        IdRange uids,
        IdRange gids,
        Mode mode,
        boolean namedByUid,
        OnDelete onDelete,
        long minBytes,
        long maxBytes,
        long rootBudget,
        QuotaWish quota,
        List<String> mountOptions,
        NamespaceRule namespaces) {

    private static final Mode CLOSED_TO_OTHERS = new Mode(0770);
    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|\\[[0-9a-fA-F:.]+]");

    /** Whether sizes are to be enforced by the file system. */
    public enum QuotaWish {
        AUTO,
        REQUIRE,
        OFF
    }

    /** Who may use the class. */
    @FunctionalInterface
    public interface NamespaceRule {
        boolean allows(String namespace);
    }

    public DirectoryClass {
        mountOptions = List.copyOf(mountOptions);
    }

    public static DirectoryClass read(StorageClass source, Path root) {
        Map<String, String> parameters = source.getParameters() == null ? Map.of() : source.getParameters();
        requireKnown(parameters);
        Backing backing = backing(parameters, root);
        boolean waits = "WaitForFirstConsumer".equals(source.getVolumeBindingMode());
        if (backing instanceof Backing.Local && !waits) {
            throw new InvalidClass("volumeType local needs volumeBindingMode WaitForFirstConsumer, so that the node is"
                    + " known before the directory is made");
        }
        @Nullable List<String> options = source.getMountOptions();
        if (options != null && !options.isEmpty() && !(backing instanceof Backing.Nfs)) {
            throw new InvalidClass("mountOptions are for NFS, and this class has no server in assetRoot");
        }
        DirectoryClass result = new DirectoryClass(
                source.getMetadata().getName(),
                source.getProvisioner(),
                root,
                backing,
                waits,
                !"Retain".equals(source.getReclaimPolicy()),
                id(DEFAULT_OWNER_UID, parameters),
                id(DEFAULT_OWNER_GID, parameters),
                OWNER_UID_RANGE.read(parameters, IdRange::parse).orElseGet(IdRange::standard),
                OWNER_GID_RANGE.read(parameters, IdRange::parse).orElseGet(IdRange::standard),
                MODE.read(parameters, Mode::parse).orElse(CLOSED_TO_OTHERS),
                NAMING.read(parameters, DirectoryClass::namedByUid).orElse(false),
                ON_DELETE.read(parameters, OnDelete::parse).orElse(OnDelete.DELETE),
                MIN_SIZE.read(parameters, Bytes::parse).orElse(0L),
                MAX_SIZE.read(parameters, Bytes::parse).orElse(Long.MAX_VALUE),
                ROOT_BUDGET.read(parameters, Bytes::parse).orElse(Long.MAX_VALUE),
                PROJECT_QUOTA.read(parameters, DirectoryClass::quota).orElse(QuotaWish.AUTO),
                options == null ? List.of() : options,
                namespaces(parameters));
        result.requireSound();
        return result;
    }

    private void requireSound() {
        if (defaultUid.isPresent() && !uids.contains(defaultUid.getAsLong())) {
            throw new InvalidClass("parameter " + DEFAULT_OWNER_UID.key() + " " + defaultUid.getAsLong()
                    + " is outside " + OWNER_UID_RANGE.key() + " " + uids);
        }
        if (defaultGid.isPresent() && !gids.contains(defaultGid.getAsLong())) {
            throw new InvalidClass("parameter " + DEFAULT_OWNER_GID.key() + " " + defaultGid.getAsLong()
                    + " is outside " + OWNER_GID_RANGE.key() + " " + gids);
        }
        if (minBytes > maxBytes) {
            throw new InvalidClass("parameter " + MIN_SIZE.key() + " is larger than " + MAX_SIZE.key());
        }
    }

    private static Backing backing(Map<String, String> parameters, Path root) {
        String published = ASSET_ROOT.read(parameters, text -> text).orElse(root.toString());
        int colon = published.lastIndexOf(":/");
        String type = VOLUME_TYPE.read(parameters, text -> text).orElse(colon > 0 ? "nfs" : "hostPath");
        String path = colon > 0 ? published.substring(colon + 1) : published;
        Path parsed = Path.of(path);
        if (!parsed.isAbsolute() || !parsed.normalize().toString().equals(path) || parsed.getNameCount() == 0) {
            throw new InvalidClass("parameter " + ASSET_ROOT.key()
                    + " must be an absolute path without empty segments, . and .., and not / itself");
        }
        return switch (type) {
            case "hostPath" -> withoutServer(new Backing.HostPath(path), colon);
            case "local" -> withoutServer(new Backing.Local(path), colon);
            case "nfs" -> {
                if (colon <= 0 || !SERVER.matcher(published.substring(0, colon)).matches()) {
                    throw new InvalidClass("volumeType nfs needs assetRoot SERVER:/PATH");
                }
                yield new Backing.Nfs(published.substring(0, colon), path);
            }
            default -> throw new InvalidClass("parameter " + VOLUME_TYPE.key() + " must be hostPath, local or nfs");
        };
    }

    private static Backing withoutServer(Backing backing, int colon) {
        if (colon > 0) {
            throw new InvalidClass("assetRoot with a server is for volumeType nfs");
        }
        return backing;
    }

    private static OptionalLong id(DirectoryParameters parameter, Map<String, String> parameters) {
        Optional<Long> id = parameter.read(parameters, IdNumber::parse);
        return id.isPresent() ? OptionalLong.of(id.get()) : OptionalLong.empty();
    }

    private static boolean namedByUid(String text) {
        return switch (text) {
            case "uid" -> true;
            case "claim" -> false;
            default -> throw new IllegalArgumentException("must be claim or uid");
        };
    }

    private static QuotaWish quota(String text) {
        return switch (text) {
            case "auto" -> QuotaWish.AUTO;
            case "require" -> QuotaWish.REQUIRE;
            case "off" -> QuotaWish.OFF;
            default -> throw new IllegalArgumentException("must be auto, require or off");
        };
    }

    private static NamespaceRule namespaces(Map<String, String> parameters) {
        Optional<NamespacePatterns> patterns = ALLOWED_NAMESPACES.read(parameters, NamespacePatterns::parse);
        return namespace -> patterns.isEmpty() || patterns.get().match(namespace);
    }
}
