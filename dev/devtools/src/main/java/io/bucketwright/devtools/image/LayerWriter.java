package io.bucketwright.devtools.image;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes layers of parts of a root file system. A layer depends only on the names, kinds, execute bits and contents of its
 * files, and on the time that all of them get.
 *
 * @param root the root file system
 */
record LayerWriter(Path root, Instant time) {

    /** The only directory that everybody may write to; Kubernetes mounts a volume over it. */
    private static final Path TEMPORARY = Path.of("tmp");

    /** Writes a layer with these paths of the root file system, and all below them, into a file. */
    Layer write(String title, List<Path> paths, Path file) throws IOException {
        MessageDigest compressed = Digest.algorithm();
        MessageDigest plain = Digest.algorithm();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
                TarWriter tar = new TarWriter(
                        new DigestOutputStream(
                                new BufferedOutputStream(
                                        new GZIPOutputStream(new DigestOutputStream(out, compressed)), 1 << 16),
                                plain),
                        time)) {
            for (Path path : entries(paths)) {
                entry(tar, path);
            }
        }
        return new Layer(title, Layer.GZIP, file, Files.size(file), Digest.of(compressed), Digest.of(plain));
    }

    /** The paths, all below them and the directories above them, in an order in which directories come first. */
    private TreeSet<Path> entries(List<Path> paths) throws IOException {
        TreeSet<Path> entries = new TreeSet<>();
        for (Path path : paths) {
            try (Stream<Path> below = Files.walk(root.resolve(path))) {
                below.map(root::relativize).forEach(entries::add);
            }
            for (Path parent = path.getParent(); parent != null; parent = parent.getParent()) {
                entries.add(parent);
            }
        }
        return entries;
    }

    private void entry(TarWriter tar, Path path) throws IOException {
        Path file = root.resolve(path);
        String name = path.toString();
        if (Files.isSymbolicLink(file)) {
            tar.symbolicLink(name, Files.readSymbolicLink(file).toString());
        } else if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            tar.directory(name, path.equals(TEMPORARY) ? 01777 : 0755);
        } else {
            tar.file(name, Files.isExecutable(file) ? 0755 : 0644, file);
        }
    }
}
