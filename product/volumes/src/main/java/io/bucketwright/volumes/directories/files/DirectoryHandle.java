package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** An open directory. Calls refer to this directory even if its path is replaced meanwhile. */
final class DirectoryHandle implements AutoCloseable {

    /** More than any marker needs. */
    private static final int MAX_FILE = 64 * 1024;

    /** The prefix of temporary files; a crash may leave one. */
    static final String TEMPORARY = ".tmp-";

    private static final String RESERVE = "reserve";
    private static final int RESERVED_BYTES = 1 << 16;

    private final Libc libc;
    private final int fd;
    private final byte[] name;

    private DirectoryHandle(Libc libc, int fd, byte[] name) {
        this.libc = libc;
        this.fd = fd;
        this.name = name;
    }

    /** The mount that contains this directory, as {@code /proc/self/mountinfo} numbers them, is mounted exactly here. */
    boolean isMountPoint() throws IOException {
        return MountInfo.read().isMountPoint(status());
    }

    int ownUid() throws SystemCallException {
        return libc.ownUid();
    }

    /** Opens a root by its path, which an administrator chose. The last segment must not be a symbolic link. */
    static DirectoryHandle root(Libc libc, Path path) throws SystemCallException {
        byte[] text = bytes(path.toString());
        return new DirectoryHandle(libc, libc.openDirectory(Libc.CURRENT_DIRECTORY, text), text);
    }

    DirectoryHandle open(byte[] child) throws SystemCallException {
        return new DirectoryHandle(libc, libc.openDirectory(fd, segment(child)), child);
    }

    DirectoryHandle open(String child) throws SystemCallException {
        return open(bytes(child));
    }

    DirectoryHandle openOrCreate(String child, int mode) throws SystemCallException {
        create(child, mode);
        return open(child);
    }

    /** Creates a directory, unless it exists. */
    void create(String child, int mode) throws SystemCallException {
        try {
            libc.call("Creating directory", bytes(child), libc.mkdirat, fd, segment(bytes(child)), mode);
        } catch (SystemCallException e) {
            if (!e.is(SystemCallException.EEXIST)) {
                throw e;
            }
        }
    }

    FileStatus status() throws SystemCallException {
        return libc.status(fd, new byte[0]);
    }

    Optional<FileStatus> status(byte[] child) throws SystemCallException {
        return ifExists(() -> libc.status(fd, segment(child)));
    }

    Optional<FileStatus> status(String child) throws SystemCallException {
        return status(bytes(child));
    }

    /** Lists the directory. The listing has its own file, so that several can be open. */
    DirectoryListing list() throws SystemCallException {
        return new DirectoryListing(libc, libc.openListing(fd), name);
    }

    /** The first entries; empty if the directory is empty. */
    List<DirectoryListing.Entry> entries(int limit) throws SystemCallException {
        try (DirectoryListing listing = list()) {
            List<DirectoryListing.Entry> entries = new ArrayList<>();
            for (Optional<DirectoryListing.Entry> next = listing.next(); next.isPresent(); next = listing.next()) {
                entries.add(next.get());
                if (entries.size() == limit) {
                    break;
                }
            }
            return entries;
        }
    }

    void setOwner(int uid, int gid) throws SystemCallException {
        try {
            libc.call("Setting the owner of", name, libc.fchown, fd, uid, gid);
        } catch (SystemCallException e) {
            throw e.is(SystemCallException.EPERM)
                    ? new SystemCallException(
                            "Setting the owner of " + Libc.printable(name),
                            SystemCallException.EPERM,
                            "not permitted; run the provisioner as root or with the capability CHOWN; an NFS server must"
                                    + " export with no_root_squash")
                    : e;
        }
    }

    void setMode(int mode) throws SystemCallException {
        libc.call("Setting the mode of", name, libc.fchmod, fd, mode);
    }

    /** Whether the file system enforces project quotas. */
    boolean enforcesQuota() {
        return libc.enforcesProjectQuota(fd);
    }

    /** The quota project of the directory; 0 if it has none. */
    int project() {
        return libc.project(fd);
    }

    /** Assigns the directory, and all future content, to a quota project with that limit. */
    void setQuota(int project, long bytes) throws SystemCallException {
        libc.limitProject(fd, name, project, bytes);
    }

    void unlink(byte[] child) throws SystemCallException {
        libc.call("Removing", child, libc.unlinkat, fd, segment(child), 0);
    }

    /** Removes a file that somebody else may remove at the same time. */
    void unlinkIfExists(byte[] child) throws SystemCallException {
        try {
            unlink(child);
        } catch (SystemCallException e) {
            if (!e.is(SystemCallException.ENOENT)) {
                throw e;
            }
        }
    }

    void removeDirectory(byte[] child) throws SystemCallException {
        libc.call("Removing directory", child, libc.unlinkat, fd, segment(child), Libc.REMOVE_DIRECTORY);
    }

    /** Moves an entry; fails if the new name exists. */
    void move(byte[] child, DirectoryHandle to, byte[] newName) throws SystemCallException {
        try {
            libc.call("Renaming", child, libc.renameat2, fd, segment(child), to.fd, segment(newName), Libc.NO_REPLACE);
        } catch (SystemCallException e) {
            if (!e.is(SystemCallException.EINVAL, SystemCallException.ENOSYS)) {
                throw e;
            }
            // NFS does not support RENAME_NOREPLACE. Checking first is enough: only the provisioner writes to the
            // target.
            if (to.status(newName).isPresent()) {
                throw new SystemCallException("Renaming to " + Libc.printable(newName), SystemCallException.EEXIST);
            }
            libc.call("Renaming", child, libc.renameat, fd, child, to.fd, newName);
        }
    }

    /**
     * Moves an open directory. A rename on a network file system may take effect late, when another directory has the name
     * already: then that one is moved back.
     */
    void move(byte[] child, DirectoryHandle opened, DirectoryHandle to, byte[] newName) throws IOException {
        move(child, to, newName);
        Optional<FileStatus> moved = to.status(newName);
        if (moved.isEmpty() || !moved.get().isSameFile(opened.status())) {
            if (moved.isPresent()) {
                to.move(newName, this, child);
            }
            throw new IOException(Libc.printable(child) + " was replaced while it was moved, and is left unchanged");
        }
    }

    Optional<byte[]> read(String file) throws SystemCallException {
        Optional<Integer> opened = ifExists(() -> libc.open(fd, segment(bytes(file)), Libc.READ_ONLY, 0));
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(libc.read(opened.get(), bytes(file), MAX_FILE));
        } finally {
            libc.close(opened.get());
        }
    }

    /** Writes a file atomically, replacing an existing one. On a full disk it uses the reserved space. */
    void replace(String file, byte[] content) throws SystemCallException {
        try {
            write(file, content);
        } catch (SystemCallException e) {
            if (!e.isFull()) {
                throw e;
            }
            // Another writer may remove it at the same time: there is space when its call has returned, not before.
            synchronized (libc) {
                unlinkIfExists(bytes(RESERVE));
            }
            write(file, content);
        }
    }

    /** Reserves space for {@link #replace}. */
    void reserveSpace() throws SystemCallException {
        if (status(RESERVE).isEmpty()) {
            byte[] content = new byte[RESERVED_BYTES];
            // Some file systems store no zeros.
            new Random(0).nextBytes(content);
            create(RESERVE, content);
        }
    }

    private void write(String file, byte[] content) throws SystemCallException {
        byte[] temporary = temporary(file, content);
        try {
            libc.call("Renaming", temporary, libc.renameat, fd, temporary, fd, segment(bytes(file)));
        } catch (SystemCallException e) {
            unlink(temporary);
            throw e;
        }
        sync();
    }

    /** Writes a new file atomically; false if one of that name exists. */
    boolean create(String file, byte[] content) throws SystemCallException {
        byte[] temporary = temporary(file, content);
        try {
            // Not a rename: a hard link never replaces a file, on any file system.
            libc.call("Linking", bytes(file), libc.linkat, fd, temporary, fd, segment(bytes(file)), 0);
        } catch (SystemCallException e) {
            if (e.is(SystemCallException.EEXIST)) {
                return false;
            }
            throw e;
        } finally {
            unlink(temporary);
        }
        sync();
        return true;
    }

    /** A test of the content of a file. */
    interface Content {
        boolean matches(byte[] content) throws IOException;
    }

    /**
     * Removes a file with this content. It is first moved aside: if a slow removal takes effect when another file has the
     * name already, that one is put back.
     */
    void remove(String file, Content expected) throws IOException {
        Optional<byte[]> content = read(file);
        if (content.isEmpty() || !expected.matches(content.get())) {
            return;
        }
        byte[] aside = bytes(TEMPORARY + UUID.randomUUID());
        try {
            libc.call("Renaming", bytes(file), libc.renameat, fd, segment(bytes(file)), fd, aside);
        } catch (SystemCallException e) {
            if (e.is(SystemCallException.ENOENT)) {
                return;
            }
            throw e;
        }
        Optional<byte[]> moved = read(new String(aside, StandardCharsets.UTF_8));
        if (moved.isPresent() && !expected.matches(moved.get())) {
            libc.call("Linking", bytes(file), libc.linkat, fd, aside, fd, bytes(file), 0);
        }
        unlink(aside);
        sync();
    }

    void sync() throws SystemCallException {
        sync(fd, name);
    }

    @Override
    public void close() {
        libc.close(fd);
    }

    private void sync(int opened, byte[] file) throws SystemCallException {
        libc.call("Syncing", file, libc.fsync, opened);
    }

    private byte[] temporary(String file, byte[] content) throws SystemCallException {
        byte[] temporary = bytes(TEMPORARY + UUID.randomUUID());
        int opened = libc.open(fd, temporary, Libc.CREATE_NEW, 0600);
        try {
            libc.write(opened, bytes(file), content);
            sync(opened, bytes(file));
            return temporary;
        } catch (SystemCallException e) {
            unlink(temporary);
            throw e;
        } finally {
            libc.close(opened);
        }
    }

    private interface Lookup<T> {
        T find() throws SystemCallException;
    }

    private static <T> Optional<T> ifExists(Lookup<T> lookup) throws SystemCallException {
        try {
            return Optional.of(lookup.find());
        } catch (SystemCallException e) {
            if (e.is(SystemCallException.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Refuses every name that is not exactly one path segment. */
    private static byte[] segment(byte[] child) {
        boolean dots = child.length <= 2 && new String(child, StandardCharsets.ISO_8859_1).matches("\\.{0,2}");
        boolean slash = false;
        for (byte b : child) {
            slash |= b == '/' || b == 0;
        }
        if (dots || slash) {
            throw new IllegalArgumentException("\"" + Libc.printable(child) + "\" is not a single path segment");
        }
        return child;
    }
}
