package io.bucketwright.local.binaries;

import io.bucketwright.local.process.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** One of our committed Go modules: what is built together into one file. */
enum GoModule {
    CONTROL_PLANE("."),
    NODE("."),
    /** Without the clients of clouds that this version still has in its tree: 95 packages less to compile, the largest among them. */
    OLDEST_KUBERNETES(".", "providerless"),
    S3("github.com/versity/versitygw/cmd/versitygw"),
    MINIO("github.com/minio/minio"),
    /** Without the discovery of targets, which it does not need here: a third less to compile. */
    PROMTOOL("github.com/prometheus/prometheus/cmd/promtool", "remove_all_sd"),
    UPSTREAM_COSI(".");

    /** The module's own package; without one it has no source. */
    private static final String OWN = ".";

    private static final int DIGEST_DIGITS = 12;

    private final String target;
    private final String tags;

    GoModule(String target) {
        this(target, "");
    }

    GoModule(String target, String tags) {
        this.target = target;
        this.tags = tags;
    }

    String folder() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The package that is built. */
    String target() {
        return target;
    }

    /** The build tags; empty if there are none. */
    String tags() {
        return tags;
    }

    String ldflags() {
        return new String(content("ldflags"), StandardCharsets.UTF_8).trim();
    }

    /** Names what would be built: changes whenever a pinned version, a flag or the source does. */
    String id() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files().forEach(file -> digest.update(content(file)));
            return folder() + "-" + HexFormat.of().formatHex(digest.digest()).substring(0, DIGEST_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JVM does not support SHA-256, which every JVM must", e);
        }
    }

    void extractTo(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (String file : files()) {
            Files.write(directory.resolve(file), content(file));
        }
    }

    // In the order in which a shell lists them: dev/local/go/README.md describes how to compute the digest by hand.
    private List<String> files() {
        return target.equals(OWN)
                ? List.of("go.mod", "go.sum", "ldflags", "main.go")
                : List.of("go.mod", "go.sum", "ldflags");
    }

    private byte[] content(String file) {
        return Resources.bytes("go/" + folder() + "/" + file);
    }
}
