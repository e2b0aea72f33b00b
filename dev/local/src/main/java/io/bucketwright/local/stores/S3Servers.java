package io.bucketwright.local.stores;

import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The two servers of the embedded S3 store: versitygw over a folder, and its server of the AWS IAM API. */
record S3Servers(Path dir, Path versitygw, Probe probe) implements StoreServers {

    /** The kernel's limit for the path of a socket, less its final zero. */
    private static final int LONGEST_SOCKET_PATH = 107;

    @Override
    public Server server(Component component) {
        prepare();
        return component == Component.S3_IAM ? iam() : gateway();
    }

    private void prepare() {
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

    private Server iam() {
        return server(Component.S3_IAM, "iam", "--quiet", "--dir=" + dir.resolve("iam"), "--private-ports=" + socket());
    }

    private Server gateway() {
        return server(
                Component.S3_GATEWAY,
                "--region=" + REGION,
                "--quiet",
                // Buckets in the host name: http://BUCKET.s3.localhost:PORT. Other hosts keep them in the path.
                "--virtual-domain=s3.localhost",
                "--iam-standalone-endpoint=" + socket(),
                "posix",
                "--versioning-dir=" + dir.resolve("versions"),
                // Not every file system has extended attributes.
                "--sidecar=" + dir.resolve("metadata"),
                dir.resolve("data").toString());
    }

    private Server server(Component component, String... arguments) {
        StoreKeys keys = StoreKeys.provide(dir);
        return new Server(
                component,
                port -> {
                    List<String> command = new ArrayList<>(
                            List.of(versitygw.toString(), "--health=/healthz", "--port=127.0.0.1:" + port));
                    command.addAll(List.of(arguments));
                    return command;
                },
                // By environment, not by flag: every user of the machine can read command lines.
                Map.of("ROOT_ACCESS_KEY_ID", keys.id(), "ROOT_SECRET_ACCESS_KEY", keys.secret()),
                port -> probe.ok(StoreServers.url(port) + "/healthz"));
    }

    private Path socket() {
        return dir.resolve("iam.sock");
    }
}
