package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A directory that is a root, or becomes one. */
public class RootDirectory {

    static final String SYSTEM_DIRECTORY = ".bucketwright";
    static final String IDENTITY = "root.json";

    private final Libc libc = new Libc();
    final MarkerFormat format = new MarkerFormat();
    private final Path path;

    /** The root does not exist, or is not the root it was: its disk may be unmounted. */
    public static final class RootUnavailableException extends IOException {

        RootUnavailableException(String message) {
            super(message);
        }
    }

    /** One operation on the disk. */
    public interface Access<R> {
        R get() throws IOException;
    }

    public RootDirectory(Path path) {
        if (!path.isAbsolute() || !path.equals(path.normalize()) || path.getNameCount() == 0) {
            throw new IllegalArgumentException("A root must be an absolute path without . and .., and not /, but it is "
                    + Libc.printable(DirectoryHandle.bytes(path.toString())));
        }
        this.path = path;
    }

    /**
     * Carries out each operation on the disk; tests inject failures here.
     *
     * @param operation the name of the method
     */
    protected <R> R access(String operation, Access<R> access) throws IOException {
        return access.get();
    }

    /** The root's identity; empty if the directory was never a root. */
    public Optional<RootIdentity> identity() throws IOException {
        return access("identity", () -> {
            try (DirectoryHandle root = open()) {
                return identity(root);
            }
        });
    }

    RootIdentity requireIdentity() throws IOException {
        Optional<RootIdentity> identity = identity();
        return identity.orElseThrow(() ->
                new IOException(path + " is not a root of the directory provisioner: it has no " + SYSTEM_DIRECTORY));
    }

    /**
     * Whether a disk, a network file system or a subvolume is mounted there. A directory of another file system that is
     * mounted there, as a container sees a directory of its host, does not count.
     */
    public boolean isMountPoint() throws IOException {
        return access("isMountPoint", () -> {
            try (DirectoryHandle root = open()) {
                return root.isMountPoint();
            }
        });
    }

    /** Fails if it is no mount point. */
    public void requireMountPoint() throws IOException {
        if (!isMountPoint()) {
            throw new RootUnavailableException(
                    "No file system is mounted at the root, and its class has requireMountPoint: mount its disk");
        }
    }

    /** Makes the directory a root. */
    public void initialize(RootIdentity identity) throws IOException {
        boolean _ = access("initialize", () -> {
            try (DirectoryHandle root = open();
                    DirectoryHandle system = root.openOrCreate(SYSTEM_DIRECTORY, 0700)) {
                system.setMode(0700);
                boolean created = system.create(IDENTITY, format.write(identity));
                root.sync();
                return created;
            }
        });
    }

    /** Opens the root and verifies its identity. */
    DirectoryHandle open(RootIdentity expected) throws IOException {
        DirectoryHandle root = open();
        try {
            Optional<RootIdentity> found = identity(root);
            if (found.isEmpty() || !found.get().id().equals(expected.id())) {
                throw new RootUnavailableException("The root " + path + " has changed: "
                        + found.map(other -> "its id is now " + other.id()).orElse("its identity file is missing")
                        + ". Is its disk mounted?");
            }
            return root;
        } catch (IOException e) {
            root.close();
            throw e;
        }
    }

    Path path() {
        return path;
    }

    private DirectoryHandle open() throws RootUnavailableException {
        try {
            return DirectoryHandle.root(libc, path);
        } catch (SystemCallException e) {
            throw new RootUnavailableException("The root cannot be opened. " + e.getMessage());
        }
    }

    private Optional<RootIdentity> identity(DirectoryHandle root) throws IOException {
        if (root.status(SYSTEM_DIRECTORY).isEmpty()) {
            return Optional.empty();
        }
        try (DirectoryHandle system = root.open(SYSTEM_DIRECTORY)) {
            FileStatus status = system.status();
            if ((status.permissions() & 0077) != 0) {
                throw new RootUnavailableException(
                        "The directory " + path + "/" + SYSTEM_DIRECTORY + " is accessible to other users (mode "
                                + Integer.toOctalString(status.permissions())
                                + "), so its markers cannot be trusted: find out why, then run chmod 0700");
            }
            if (status.uid() != 0 && status.uid() != system.ownUid()) {
                throw new RootUnavailableException("The directory " + path + "/" + SYSTEM_DIRECTORY
                        + " is owned by user " + Integer.toUnsignedString(status.uid())
                        + ", so its markers cannot be trusted: find out why, then run chown 0:0");
            }
            Optional<byte[]> content = system.read(IDENTITY);
            return content.isEmpty() ? Optional.empty() : Optional.of(format.identity(content.get()));
        }
    }
}
