package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.Map;
import java.util.stream.IntStream;

/** A system call failed. The message contains the operation, the file name and the meaning of errno. */
public final class SystemCallException extends IOException {

    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EBUSY = 16;
    static final int EEXIST = 17;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int ENOSPC = 28;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int ELOOP = 40;
    static final int EDQUOT = 122;

    private static final Map<Integer, String> MESSAGES = Map.ofEntries(
            Map.entry(
                    EPERM,
                    "not permitted; the file may be immutable, or the provisioner lacks a capability: see the requirements"
                            + " in docs/directories.md"),
            Map.entry(ENOENT, "no such file or directory"),
            Map.entry(5, "input/output error"),
            Map.entry(13, "permission denied"),
            Map.entry(EBUSY, "busy, a file system is mounted there"),
            Map.entry(EEXIST, "it already exists"),
            Map.entry(18, "it is on another file system"),
            Map.entry(ENOTDIR, "not a directory, or a symbolic link, and links are not followed"),
            Map.entry(ENOSPC, "no space left"),
            Map.entry(30, "the file system is read-only"),
            Map.entry(36, "the name is too long"),
            Map.entry(ENOTEMPTY, "not empty"),
            Map.entry(ELOOP, "it is a symbolic link, and links are not followed"),
            Map.entry(116, "stale file handle"),
            Map.entry(EDQUOT, "the disk quota is exceeded"));

    private final int errno;

    SystemCallException(String what, int errno) {
        this(what, errno, MESSAGES.getOrDefault(errno, "error " + errno));
    }

    SystemCallException(String what, int errno, String meaning) {
        super(what + ": " + meaning);
        this.errno = errno;
    }

    /** A directory is not on the file system of its parent. The kernel reports a btrfs subvolume the same way. */
    static SystemCallException otherFileSystem(String what) {
        return new SystemCallException(
                what,
                EBUSY,
                "a file system is mounted there, or it is a btrfs subvolume; it is neither entered nor removed; unmount it,"
                        + " or delete it with btrfs subvolume delete");
    }

    boolean isFull() {
        return is(ENOSPC, EDQUOT);
    }

    boolean is(int... numbers) {
        return IntStream.of(numbers).anyMatch(number -> number == errno);
    }
}
