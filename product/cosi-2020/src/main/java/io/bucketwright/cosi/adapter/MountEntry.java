package io.bucketwright.cosi.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A mount as the kernel lists it.
 *
 * @param device number of the file system; all mounts of one file system have the same
 * @param root directory of the file system that is mounted
 * @param options of this mount, not of the file system
 */
record MountEntry(String device, String root, List<String> options, String type, String source) {

    private static final Path LIST = Path.of("/proc/self/mountinfo");
    private static final int DEVICE = 2;
    private static final int ROOT = 3;
    private static final int MOUNT_POINT = 4;
    private static final int OPTIONS = 5;

    MountEntry {
        options = List.copyOf(options);
    }

    /** The mounts at a directory, the uppermost last. */
    static List<MountEntry> at(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            return List.of();
        }
        // The kernel lists paths without symbolic links; the directory itself may be one that cannot be entered.
        String wanted =
                escaped(parent.toRealPath().resolve(directory.getFileName()).toString());
        try (Stream<String> lines = Files.lines(LIST)) {
            return lines.map(line -> line.split(" ", -1))
                    .filter(fields -> fields[MOUNT_POINT].equals(wanted))
                    .map(MountEntry::of)
                    .toList();
        }
    }

    boolean readOnly() {
        return options.contains("ro");
    }

    /** After a lone hyphen come the type and the source. */
    private static MountEntry of(String[] fields) {
        int hyphen = List.of(fields).indexOf("-");
        return new MountEntry(
                fields[DEVICE],
                fields[ROOT],
                List.of(fields[OPTIONS].split(",", -1)),
                fields[hyphen + 1],
                fields[hyphen + 2]);
    }

    private static String escaped(String path) {
        return path.replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }
}
