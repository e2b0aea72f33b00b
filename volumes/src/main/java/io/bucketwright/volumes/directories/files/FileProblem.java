package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.Map;

/** The file system refused something; the message says what, and as what the kernel names the reason. */
public final class FileProblem extends IOException {

    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int EEXIST = 17;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int ELOOP = 40;

    private static final Map<Integer, String> WORDS = Map.ofEntries(
            Map.entry(
                    EPERM,
                    "not permitted; on NFS with root_squash the server refuses the owner, export it with"
                            + " no_root_squash or run as that owner"),
            Map.entry(ENOENT, "no such file or directory"),
            Map.entry(5, "input/output error"),
            Map.entry(EACCES, "permission denied"),
            Map.entry(EBUSY, "busy, something is mounted there"),
            Map.entry(EEXIST, "it exists already"),
            Map.entry(18, "it is on another file system"),
            Map.entry(ENOTDIR, "not a directory"),
            Map.entry(28, "no space left"),
            Map.entry(30, "the file system is read-only"),
            Map.entry(36, "the name is too long"),
            Map.entry(ENOTEMPTY, "not empty"),
            Map.entry(ELOOP, "a symbolic link stands there, and none is followed"),
            Map.entry(116, "stale file handle"),
            Map.entry(122, "the disk quota is exceeded"));

    private final int errno;

    FileProblem(String what, int errno) {
        super(what + ": " + WORDS.getOrDefault(errno, "error " + errno));
        this.errno = errno;
    }

    boolean is(int number) {
        return errno == number;
    }

    /** The owner or mode could not be set for lack of rights. */
    public boolean isDenied() {
        return errno == EPERM || errno == EACCES;
    }
}
