package io.bucketwright.cosi.adapter;

import io.bucketwright.store.errors.InputText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Where kubelet wants a volume: strictly below the folder of its pods, and reached through no link.
 *
 * @param path absolute and normal
 */
record TargetPath(Path path) {

    /** kubelet puts it at {@code pods/<uid>/volumes/kubernetes.io~csi/<volume>/mount}. */
    private static final Path BETWEEN = Path.of("volumes", "kubernetes.io~csi");

    private static final int DEPTH = 5;

    /**
     * Checks what kubelet sent.
     *
     * @param pods the folder of kubelet's pods
     * @throws IllegalArgumentException if it is anywhere else
     */
    static TargetPath of(String text, Path pods) {
        Path path = parse(text);
        Path root = pods.toAbsolutePath().normalize();
        if (!path.isAbsolute()
                || !path.equals(path.normalize())
                || !path.toString().equals(text)) {
            throw new IllegalArgumentException(
                    "The target path " + InputText.quote(text) + " must be absolute and normalized.");
        }
        int start = root.getNameCount();
        if (!path.startsWith(root)
                || path.getNameCount() != start + DEPTH
                || !path.subpath(start + 1, start + 3).equals(BETWEEN)
                || !path.endsWith("mount")) {
            throw new IllegalArgumentException(
                    "The target path " + InputText.quote(text) + " must be a volume's below " + root + ".");
        }
        requireNoLinks(path, root);
        return new TargetPath(path);
    }

    private static Path parse(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("The target path " + InputText.quote(text) + " is no path.", e);
        }
    }

    private static void requireNoLinks(Path path, Path root) {
        for (Path part = path; part != null && part.startsWith(root); part = part.getParent()) {
            if (Files.isSymbolicLink(part)) {
                throw new IllegalArgumentException("The target path leads through the link " + part + ".");
            }
        }
    }

    /** The uid of the pod. */
    String pod() {
        return String.valueOf(path.getName(path.getNameCount() - DEPTH));
    }

    /** The name of the volume in the pod. */
    String volume() {
        return String.valueOf(path.getName(path.getNameCount() - 2));
    }

    /** Makes the folder itself; its parents are kubelet's. */
    void create() throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(path);
        }
    }

    /** Removes the folder, which must be empty. */
    void remove() throws IOException {
        Files.deleteIfExists(path);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
