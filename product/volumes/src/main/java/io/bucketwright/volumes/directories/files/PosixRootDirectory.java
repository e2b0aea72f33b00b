package io.bucketwright.volumes.directories.files;

import io.bucketwright.volumes.directories.files.RootDirectory.RootUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A root on a mounted file system. */
public final class PosixRootDirectory implements RootDirectory {

    static final String SYSTEM_DIRECTORY = ".bucketwright";
    static final String IDENTITY = "root.json";

    private final Libc libc = new Libc();
    private final MarkerFormat format = new MarkerFormat();
    private final Path path;

    public PosixRootDirectory(Path path) {
        if (!path.isAbsolute() || !path.equals(path.normalize()) || path.getNameCount() == 0) {
            throw new IllegalArgumentException("A root must be an absolute path without . and .., and not /, but it is "
                    + Libc.printable(DirectoryHandle.bytes(path.toString())));
        }
        this.path = path;
    }

    @Override
    public Optional<RootIdentity> identity() throws IOException {
        try (DirectoryHandle root = open()) {
            return identity(root);
        }
    }

    @Override
    public boolean isMountPoint() throws IOException {
        try (DirectoryHandle root = open()) {
            return root.isMountPoint();
        }
    }

    @Override
    public void initialize(RootIdentity identity) throws IOException {
        try (DirectoryHandle root = open();
                DirectoryHandle system = root.openOrCreate(SYSTEM_DIRECTORY, 0700)) {
            system.setMode(0700);
            system.create(IDENTITY, format.write(identity));
            root.sync();
        }
    }

    @Override
    public DirectoryTree tree(RootIdentity identity) {
        return new PosixDirectoryTree(this, identity, format);
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
