package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The mounted file systems, in the format of {@code /proc/self/mountinfo}.
 *
 * @param lines one for each mount
 */
record MountInfo(List<String> lines) {

    private static final Path OWN = Path.of("/proc/self/mountinfo");

    private static final int ROOT = 3;
    private static final int MIN_FIELDS = 5;

    /** The root directory of each btrfs subvolume has this inode. */
    private static final long SUBVOLUME_INODE = 256;

    /** Of these a directory can be mounted instead of the whole file system. */
    private static final Set<String> NETWORK = Set.of("nfs", "nfs4", "ceph", "cifs", "smb3", "9p", "glusterfs");

    static MountInfo read() throws IOException {
        return new MountInfo(Files.readAllLines(OWN));
    }

    /** Whether a file system is mounted at this directory, and not only a directory of one. */
    boolean isMountPoint(FileStatus directory) {
        if (!directory.mountRoot()) {
            return false;
        }
        String id = directory.mount().substring(directory.mount().lastIndexOf(':') + 1);
        return lines.stream().filter(line -> line.startsWith(id + " ")).anyMatch(line -> {
            List<String> fields = List.of(line.split(" ", -1));
            int separator = fields.indexOf("-");
            String type = separator < 0 || separator + 1 >= fields.size() ? "" : fields.get(separator + 1);
            return fields.size() > MIN_FIELDS
                    && (fields.get(ROOT).equals("/")
                            || NETWORK.contains(type)
                            || type.startsWith("fuse.")
                            || (type.equals("btrfs") && directory.inode() == SUBVOLUME_INODE));
        });
    }
}
