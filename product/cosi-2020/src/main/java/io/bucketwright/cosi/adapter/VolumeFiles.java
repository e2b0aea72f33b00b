package io.bucketwright.cosi.adapter;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a volume, replaced all at once: each name is a link into {@code ..data}, which is a link to a directory that
 * is never changed once it is complete. Whoever reads sees all of the old or all of the new; this is how kubelet does it
 * too.
 *
 * <p>A pod sees only the directory {@link #DIRECTORY}. Everything is written beside it, where no pod can be, and then moved
 * into it by directory handles. Nothing in it is read, and no link in it is followed: even a container that made its mount
 * writable cannot redirect the adapter.
 *
 * @param store the file system of the volume, where no pod can be
 * @param group that may read the files; without one, everybody in the pod may
 */
record VolumeFiles(Path store, OptionalInt group) {

    /** What the pod sees of the file system. */
    static final String DIRECTORY = "files";

    private static final Logger log = LoggerFactory.getLogger(VolumeFiles.class);
    private static final Path VISIBLE = Path.of(DIRECTORY);
    private static final Path DATA = Path.of("..data");
    private static final Path LINK = Path.of("link");

    /** Makes these the files. */
    void write(Map<String, byte[]> files) throws IOException {
        try (SecureDirectoryStream<Path> root = open(store)) {
            clear(root, Set.of(VISIBLE));
            if (!Files.isDirectory(store.resolve(VISIBLE), LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(store.resolve(VISIBLE));
                restrict(store.resolve(VISIBLE), "rwxr-x---", "rwxr-xr-x");
            }
            Path set = prepare(files);
            Set<Path> current = new HashSet<>(Set.of(set, DATA));
            try (SecureDirectoryStream<Path> visible = enter(root, VISIBLE)) {
                root.move(set, visible, set);
                link(root, visible, DATA, set);
                for (String name : files.keySet()) {
                    link(root, visible, Path.of(name), DATA.resolve(name));
                    current.add(Path.of(name));
                }
                clear(visible, current);
            }
        }
    }

    /** Identifies a set of files without keeping it. */
    static String digest(Map<String, byte[]> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(file -> {
                byte[] name = file.getKey().getBytes(StandardCharsets.UTF_8);
                digest.update(ByteBuffer.allocate(2 * Integer.BYTES)
                        .putInt(name.length)
                        .putInt(file.getValue().length)
                        .flip());
                digest.update(name);
                digest.update(file.getValue());
            });
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    static Set<PosixFilePermission> permissions(String text) {
        return PosixFilePermissions.fromString(text);
    }

    /** Writes the files into a new directory that no pod can see yet. */
    private Path prepare(Map<String, byte[]> files) throws IOException {
        Path set = Path.of(".." + UUID.randomUUID());
        Path directory = Files.createDirectory(store.resolve(set));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            try (SeekableByteChannel channel =
                    Files.newByteChannel(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer content = ByteBuffer.wrap(file.getValue());
                while (content.hasRemaining()) {
                    channel.write(content);
                }
            }
            restrict(path, "r--r-----", "r--r--r--");
        }
        restrict(directory, "rwxr-x---", "rwxr-xr-x");
        return set;
    }

    private void link(SecureDirectoryStream<Path> root, SecureDirectoryStream<Path> visible, Path name, Path target)
            throws IOException {
        Files.createSymbolicLink(store.resolve(LINK), target);
        root.move(LINK, visible, name);
    }

    private void restrict(Path path, String withGroup, String withoutGroup) throws IOException {
        if (group.isPresent()) {
            Files.setAttribute(path, "unix:gid", group.getAsInt(), LinkOption.NOFOLLOW_LINKS);
        }
        Files.setPosixFilePermissions(path, permissions(group.isPresent() ? withGroup : withoutGroup));
    }

    /** Removes what an earlier set, a crash or a privileged container left behind. */
    private static void clear(SecureDirectoryStream<Path> directory, Set<Path> current) {
        for (Path entry : directory) {
            Path name = entry.getFileName();
            if (name == null || current.contains(name)) {
                continue;
            }
            try {
                remove(directory, name);
            } catch (IOException e) {
                // Not ours: a set has no directories inside. It is removed together with the file system.
                log.debug("{} in a volume cannot be removed: {}", name, e.toString());
            }
        }
    }

    private static void remove(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        if (!parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory()) {
            parent.deleteFile(name);
            return;
        }
        try (SecureDirectoryStream<Path> directory = enter(parent, name)) {
            for (Path entry : directory) {
                directory.deleteFile(entry.getFileName());
            }
        }
        parent.deleteDirectory(name);
    }

    private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private static SecureDirectoryStream<Path> open(Path path) throws IOException {
        DirectoryStream<Path> stream = path.getFileSystem().provider().newDirectoryStream(path, _ -> true);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new FileSystemException(path.toString(), null, "this system has no directory handles");
    }
}
