package io.bucketwright.local.stores;

import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** MinIO over one folder. */
record MinioServer(Path dir, Path minio, Probe probe) implements StoreServers {

    private static final int FORBIDDEN = 403;

    @Override
    public Server server(Component component) {
        StoreKeys keys = StoreKeys.provide(dir);
        return new Server(
                component,
                port -> List.of(
                        minio.toString(),
                        "server",
                        "--quiet",
                        "--address=127.0.0.1:" + port,
                        dir.resolve("data").toString()),
                // Without MINIO_CI_CD it refuses a folder on the disk of the system.
                Map.of(
                        "MINIO_ROOT_USER", keys.id(),
                        "MINIO_ROOT_PASSWORD", keys.secret(),
                        "MINIO_BROWSER", "off",
                        "MINIO_CI_CD", "on",
                        "MINIO_UPDATE", "off"),
                // Its health is good before it knows its users and serves its admin API; until then it answers 503.
                port -> probe.status(StoreServers.url(port) + "/") == FORBIDDEN
                        && probe.status(StoreServers.url(port) + "/minio/admin/v3/info") == FORBIDDEN);
    }
}
