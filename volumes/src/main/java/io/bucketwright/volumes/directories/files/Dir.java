package io.bucketwright.volumes.directories.files;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A directory that is held open: whatever becomes of its name meanwhile, calls reach it and no other. */
final class Dir implements AutoCloseable {

    /** More than any marker has; a longer file is none of ours. */
    private static final int LONGEST_FILE = 64 * 1024;

    /** How the name of a file begins that a crash left half written. */
    static final String UNFINISHED = ".tmp-";

    private final Libc libc;
    private final int fd;
    private final byte[] name;

    private Dir(Libc libc, int fd, byte[] name) {
        this.libc = libc;
        this.fd = fd;
        this.name = name;
    }

    /** The only path that is ever followed: its administrator chose it, and its last part may not be a link either. */
    static Dir root(Libc libc, Path path) throws FileProblem {
        byte[] text = bytes(path.toString());
        return new Dir(libc, libc.openDirectory(Libc.CURRENT_DIRECTORY, text), text);
    }

    Dir open(byte[] child) throws FileProblem {
        return new Dir(libc, libc.openDirectory(fd, segment(child)), child);
    }

    Dir open(String child) throws FileProblem {
        return open(bytes(child));
    }

    Dir openOrMake(String child, int mode) throws FileProblem {
        make(child, mode);
        return open(child);
    }

    /** Makes a directory, unless there is one. */
    void make(String child, int mode) throws FileProblem {
        try {
            libc.makeDirectory(fd, segment(bytes(child)), mode);
        } catch (FileProblem e) {
            if (!e.is(FileProblem.EEXIST)) {
                throw e;
            }
        }
    }

    Status status() throws FileProblem {
        return libc.status(fd, new byte[0]);
    }

    Optional<Status> status(byte[] child) throws FileProblem {
        try {
            return Optional.of(libc.status(fd, segment(child)));
        } catch (FileProblem e) {
            if (e.is(FileProblem.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    Optional<Status> status(String child) throws FileProblem {
        return status(bytes(child));
    }

    List<Entry> entries(int most) throws FileProblem {
        return libc.entries(fd, name, most);
    }

    void own(int uid, int gid) throws FileProblem {
        libc.changeOwner(fd, uid, gid, name);
    }

    void mode(int mode) throws FileProblem {
        libc.changeMode(fd, mode, name);
    }

    /** Has the file system enforce a size; false if it cannot. */
    boolean limit(long bytes) throws FileProblem {
        if (!libc.hasProjectQuota(fd)) {
            return false;
        }
        // The number of the directory itself is nobody else's for as long as the directory lives.
        libc.limitProject(fd, name, (int) status().inode(), bytes);
        return true;
    }

    void unlink(byte[] child) throws FileProblem {
        libc.unlink(fd, segment(child));
    }

    void removeDirectory(byte[] child) throws FileProblem {
        libc.removeDirectory(fd, segment(child));
    }

    /** Moves an entry, never onto another. */
    void move(byte[] child, Dir to, byte[] newName) throws FileProblem {
        try {
            libc.renameToNew(fd, segment(child), to.fd, segment(newName));
        } catch (FileProblem e) {
            if (!e.is(FileProblem.EINVAL) && !e.is(FileProblem.ENOSYS)) {
                throw e;
            }
            // NFS cannot refuse to replace; there the look before is all there is, and only we write where it goes.
            if (to.status(newName).isPresent()) {
                throw new FileProblem("Renaming to " + Libc.printable(newName), FileProblem.EEXIST);
            }
            libc.rename(fd, child, to.fd, newName);
        }
    }

    Optional<byte[]> read(String file) throws FileProblem {
        int opened;
        try {
            opened = libc.open(fd, segment(bytes(file)), Libc.READ_ONLY, 0);
        } catch (FileProblem e) {
            if (e.is(FileProblem.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
        try {
            return Optional.of(libc.read(opened, bytes(file), LONGEST_FILE));
        } finally {
            libc.close(opened);
        }
    }

    /** Writes a whole file or nothing, in the place of the one before. */
    void replace(String file, byte[] content) throws FileProblem {
        String unfinished = unfinished(file, content);
        libc.rename(fd, bytes(unfinished), fd, bytes(file));
        sync();
    }

    /** Writes a whole file or nothing; false if there is one of that name. */
    boolean create(String file, byte[] content) throws FileProblem {
        String unfinished = unfinished(file, content);
        try {
            // Not a rename: a link cannot replace anything, on any file system.
            libc.link(fd, bytes(unfinished), segment(bytes(file)));
        } catch (FileProblem e) {
            if (e.is(FileProblem.EEXIST)) {
                return false;
            }
            throw e;
        } finally {
            libc.unlink(fd, bytes(unfinished));
        }
        sync();
        return true;
    }

    void sync() throws FileProblem {
        libc.sync(fd, name);
    }

    @Override
    public void close() {
        libc.close(fd);
    }

    private String unfinished(String file, byte[] content) throws FileProblem {
        String unfinished = UNFINISHED + UUID.randomUUID();
        int opened = libc.open(fd, bytes(unfinished), Libc.CREATE_NEW, 0600);
        try {
            libc.write(opened, bytes(file), content);
            libc.sync(opened, bytes(file));
        } finally {
            libc.close(opened);
        }
        return unfinished;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The last guard: whatever a caller thinks it passes, one step down is one step down. */
    private static byte[] segment(byte[] child) {
        boolean dots = child.length <= 2 && new String(child, StandardCharsets.ISO_8859_1).matches("\\.{0,2}");
        boolean slash = false;
        for (byte b : child) {
            slash |= b == '/' || b == 0;
        }
        if (dots || slash) {
            throw new IllegalArgumentException(
                    "\"" + Libc.printable(child) + "\" is not the name of one entry in a directory");
        }
        return child;
    }
}
