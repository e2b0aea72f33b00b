package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A root on a mounted file system. */
public final class PosixRoot implements RootFolder {

    static final String OURS = ".bucketwright";
    static final String IDENTITY = "root.json";

    private final Libc libc = new Libc();
    private final MarkerFormat format = new MarkerFormat();
    private final Path path;

    public PosixRoot(Path path) {
        if (!path.isAbsolute() || !path.equals(path.normalize()) || path.getNameCount() == 0) {
            throw new IllegalArgumentException("A root is an absolute path without . and .., and not / itself, not "
                    + Libc.printable(Dir.bytes(path.toString())));
        }
        this.path = path;
    }

    @Override
    public Optional<RootIdentity> identity() throws IOException {
        try (Dir root = open()) {
            return identity(root);
        }
    }

    @Override
    public void initialize(RootIdentity identity) throws IOException {
        try (Dir root = open();
                Dir ours = root.openOrMake(OURS, 0700)) {
            ours.mode(0700);
            ours.create(IDENTITY, format.write(identity));
            root.sync();
        }
    }

    @Override
    public DirectoryTree tree(RootIdentity identity) {
        return new PosixTree(this, identity, format);
    }

    /** The root, made sure to be the one that is meant. */
    Dir open(RootIdentity meant) throws IOException {
        Dir root = open();
        try {
            Optional<RootIdentity> found = identity(root);
            if (found.isEmpty() || !found.get().id().equals(meant.id())) {
                throw new RootLost("The root " + path + " is not the one it was: "
                        + found.map(other -> "it is now root " + other.id()).orElse("its identity is gone")
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

    private Dir open() throws RootLost {
        try {
            return Dir.root(libc, path);
        } catch (FileProblem e) {
            throw new RootLost("The root cannot be opened. " + e.getMessage());
        }
    }

    private Optional<RootIdentity> identity(Dir root) throws IOException {
        if (root.status(OURS).isEmpty()) {
            return Optional.empty();
        }
        try (Dir ours = root.open(OURS)) {
            Status status = ours.status();
            if ((status.permissions() & 0077) != 0) {
                throw new RootLost("The directory " + path + "/" + OURS + " is open to others (mode "
                        + Integer.toOctalString(status.permissions())
                        + "), so its markers prove nothing: find out who opened it, then chmod 0700");
            }
            Optional<byte[]> content = ours.read(IDENTITY);
            return content.isEmpty() ? Optional.empty() : Optional.of(format.identity(content.get()));
        }
    }
}
