package io.bucketwright.local;

import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        return "root-" + RandomText.hex(6);
    }

    static String newSecretKey() {
        return RandomText.hex(20);
    }

    static StoreAccess access(int gatewayPort, int iamPort, String accessKey, String secretKey) {
        return new StoreAccess(
                "http://127.0.0.1:" + gatewayPort, "http://127.0.0.1:" + iamPort, REGION, accessKey, secretKey);
    }

    void prepare() {
        if (socket().toString().length() > LONGEST_SOCKET_PATH) {
            throw new LocalClusterException(
                    "The path " + socket() + " is too long for a socket. Name a shorter --dir.");
        }
        try {
            for (String folder : List.of("data", "versions", "metadata", "iam")) {
                Files.createDirectories(dir.resolve(folder));
            }
        } catch (IOException e) {
            throw new LocalClusterException("Cannot create the store's folders in " + dir + ": " + e + ".", e);
        }
    }

    Server iam() {
        return new Server(
                Component.S3_IAM,
                port -> List.of(
                        versitygw.toString(),
                        "--health",
                        "/healthz",
                        "--port",
                        "127.0.0.1:" + port,
                        "iam",
                        "--quiet",
                        "--dir",
                        dir.resolve("iam").toString(),
                        "--private-ports",
                        socket().toString()),
                rootKeys,
                this::healthy);
    }

    Server gateway() {
        return new Server(
                Component.S3_GATEWAY,
                port -> List.of(
                        versitygw.toString(),
                        "--health",
                        "/healthz",
                        "--port",
                        "127.0.0.1:" + port,
                        "--region",
                        REGION,
                        "--quiet",
                        "--iam-standalone-endpoint",
                        socket().toString(),
                        "posix",
                        "--versioning-dir",
                        dir.resolve("versions").toString(),
                        // Not every file system has extended attributes.
                        "--sidecar",
                        dir.resolve("metadata").toString(),
                        dir.resolve("data").toString()),
                rootKeys,
                this::healthy);
    }

    private boolean healthy(int port) {
        return probe.ok("http://127.0.0.1:" + port + "/healthz");
    }

    private Path socket() {
        return dir.resolve("iam.sock");
    }
}
