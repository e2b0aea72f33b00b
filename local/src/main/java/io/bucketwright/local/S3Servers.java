package io.bucketwright.local;

import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.local.report.LocalClusterException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The two servers of the embedded S3 store: versitygw over a folder, and its server of the AWS IAM API. */
final class S3Servers {

    private static final String REGION = "us-east-1";

    /** The kernel's limit for the path of a socket, less its final zero. */
    private static final int LONGEST_SOCKET_PATH = 107;

    private final Path dir;
    private final Path versitygw;
    private final Map<String, String> rootKeys;
    private final Probe probe;

    S3Servers(Path dir, Path versitygw, String accessKey, String secretKey, Probe probe) {
        this.dir = dir;
        this.versitygw = versitygw;
        // By environment, not by flag: every user of the machine can read command lines.
        this.rootKeys = Map.of("ROOT_ACCESS_KEY_ID", accessKey, "ROOT_SECRET_ACCESS_KEY", secretKey);
        this.probe = probe;
    }

    static String newAccessKey() {
        return "root-" + hex(6);
    }

    static String newSecretKey() {
        return hex(20);
    }

    /** An unguessable text. */
    static String hex(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    static StoreAccess access(Map<Component, Integer> ports, String accessKey, String secretKey) {
        return new StoreAccess(
                "http://127.0.0.1:" + ports.getOrDefault(Component.S3_GATEWAY, 0),
                "http://127.0.0.1:" + ports.getOrDefault(Component.S3_IAM, 0),
                REGION,
                accessKey,
                secretKey);
    }

    void prepare() {
        if (socket().toString().length() > LONGEST_SOCKET_PATH) {
            throw new LocalClusterException(
                    "The path " + socket() + " is too long for a socket. Name a shorter --dir.");
        }
        LocalClusterException.orFail("Cannot create the store's folders in " + dir, () -> {
            for (String folder : List.of("data", "versions", "metadata", "iam")) {
                Files.createDirectories(dir.resolve(folder));
            }
            return dir;
        });
    }

    Server iam() {
        return server(Component.S3_IAM, "iam", "--quiet", "--dir=" + dir.resolve("iam"), "--private-ports=" + socket());
    }

    Server gateway() {
        return server(
                Component.S3_GATEWAY,
                "--region=" + REGION,
                "--quiet",
                "--iam-standalone-endpoint=" + socket(),
                "posix",
                "--versioning-dir=" + dir.resolve("versions"),
                // Not every file system has extended attributes.
                "--sidecar=" + dir.resolve("metadata"),
                dir.resolve("data").toString());
    }

    private Server server(Component component, String... arguments) {
        return new Server(
                component,
                port -> {
                    List<String> command = new ArrayList<>(
                            List.of(versitygw.toString(), "--health=/healthz", "--port=127.0.0.1:" + port));
                    command.addAll(List.of(arguments));
                    return command;
                },
                rootKeys,
                port -> probe.ok("http://127.0.0.1:" + port + "/healthz"));
    }

    private Path socket() {
        return dir.resolve("iam.sock");
    }
}
