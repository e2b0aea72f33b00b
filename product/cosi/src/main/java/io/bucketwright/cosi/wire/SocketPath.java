package io.bucketwright.cosi.wire;

import io.bucketwright.store.errors.InputText;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The path of a UNIX socket. Other sockets are not supported: file permissions decide who can open a UNIX socket.
 *
 * @param path absolute
 */
public record SocketPath(Path path) {

    /** Linux allows 108 bytes, and the socket is first created under a longer name. */
    private static final int LONGEST = 96;

    private static final String SCHEME = "unix://";

    /**
     * Checks the path.
     *
     * @throws IllegalArgumentException if it is not absolute, or too long for a socket
     */
    public SocketPath {
        if (!path.isAbsolute() || path.getFileName() == null) {
            throw new IllegalArgumentException(
                    "The socket " + InputText.quote(path.toString()) + " must be an absolute path.");
        }
        if (path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new IllegalArgumentException(
                    "The socket " + path + " must be at most " + LONGEST + " bytes long; Linux limits socket paths.");
        }
    }

    /**
     * Reads {@code unix:///run/cosi.sock}, {@code unix:/run/cosi.sock} and the bare path.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    public static SocketPath parse(String text) {
        String path = text.startsWith(SCHEME)
                ? text.substring(SCHEME.length())
                : text.startsWith("unix:") ? text.substring("unix:".length()) : text;
        if (path.contains("://")) {
            throw new IllegalArgumentException(
                    "The address " + InputText.quote(text) + " must be a UNIX socket, such as unix:///run/cosi.sock.");
        }
        try {
            return new SocketPath(Path.of(path));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("The address " + InputText.quote(text) + " is no path.", e);
        }
    }

    /** In the format of gRPC. */
    String target() {
        return SCHEME + path;
    }

    @Override
    public String toString() {
        return target();
    }
}
