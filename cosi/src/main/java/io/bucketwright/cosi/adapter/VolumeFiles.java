package io.bucketwright.cosi.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The files of a volume, changed all at once: each name is a link into {@code ..data}, which is a link to a folder that is
 * never changed once it is complete. Whoever reads sees all of the old or all of the new; this is how kubelet does it too.
 */
final class VolumeFiles {

    private static final String DATA = "..data";
    private static final String HIDDEN = "..";

    private final Path root;
    private final OptionalInt group;

    VolumeFiles(Path root, OptionalInt group) {
        this.root = root;
        this.group = group;
    }

    /** Whether a whole set of files is there. */
    boolean complete() {
        return Files.isSymbolicLink(root.resolve(DATA)) && Files.isDirectory(root.resolve(DATA));
    }

    /** Makes these the files; nothing moves if they are already. */
    void write(Map<String, byte[]> files) throws IOException {
        if (complete() && isSame(files)) {
            clean();
            return;
        }
        Path fresh = root.resolve(HIDDEN + UUID.randomUUID());
        Files.createDirectory(fresh);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = fresh.resolve(file.getKey());
            Files.write(path, file.getValue(), StandardOpenOption.CREATE_NEW);
            restrict(path, group.isPresent() ? "r--r-----" : "r--r--r--");
        }
        restrict(fresh, group.isPresent() ? "rwxr-x---" : "rwxr-xr-x");
        Path swap = root.resolve(HIDDEN + "swap");
        Files.deleteIfExists(swap);
        Files.createSymbolicLink(swap, fresh.getFileName());
        Files.move(swap, root.resolve(DATA), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        for (String name : files.keySet()) {
            if (!Files.isSymbolicLink(root.resolve(name))) {
                Files.createSymbolicLink(root.resolve(name), Path.of(DATA, name));
            }
        }
        clean();
    }

    /** Takes away what the current set does not have: old links, old folders, and what a crash left half-written. */
    private void clean() throws IOException {
        Path current = Files.readSymbolicLink(root.resolve(DATA));
        for (Path entry : entries(root)) {
            String name = String.valueOf(entry.getFileName());
            boolean data = name.equals(DATA) || name.equals(current.toString());
            boolean live = !name.startsWith(HIDDEN) && Files.exists(entry);
            if (!data && !live) {
                removeTree(entry);
            }
        }
    }

    private boolean isSame(Map<String, byte[]> files) throws IOException {
        Path data = root.resolve(DATA);
        List<Path> present = entries(data);
        if (present.size() != files.size()) {
            return false;
        }
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = data.resolve(file.getKey());
            boolean linked = Files.isSymbolicLink(root.resolve(file.getKey()));
            if (!linked || !Files.isRegularFile(path) || !Arrays.equals(Files.readAllBytes(path), file.getValue())) {
                return false;
            }
        }
        return true;
    }

    private void restrict(Path path, String rights) throws IOException {
        if (group.isPresent()) {
            Files.setAttribute(path, "unix:gid", group.getAsInt(), LinkOption.NOFOLLOW_LINKS);
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    }

    private static List<Path> entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    private static void removeTree(Path tree) throws IOException {
        // walk does not follow links.
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
