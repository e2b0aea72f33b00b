package io.bucketwright.local.stores;

import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Azurite with the blob service alone and one account with a key of its own, or with two: {@code KEY1:KEY2}. */
record AzuriteServer(Path dir, Path packages, Probe probe) implements StoreServers {

    private static final String ACCOUNT = "bucketwright";
    private static final List<String> VARIABLES = List.of("AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY");
    private static final int KEY_BYTES = 64;

    @Override
    public Server server(Component component) {
        StoreKeys keys = keys();
        return new Server(
                component,
                port -> List.of(
                        "node",
                        packages.resolve("node_modules/azurite/dist/src/blob/main.js")
                                .toString(),
                        "--blobHost",
                        "127.0.0.1",
                        "--blobPort",
                        Integer.toString(port),
                        // On disk, so that a restart, perhaps with other keys of the account, keeps the blobs.
                        "--location",
                        dir.resolve("data").toString(),
                        // Clients are newer than the newest version that it serves.
                        "--skipApiVersionCheck",
                        "--silent",
                        "--disableTelemetry"),
                Map.of("AZURITE_ACCOUNTS", keys.id() + ":" + keys.secret()),
                port -> probe.status(StoreServers.url(port) + "/" + ACCOUNT) > 0);
    }

    private StoreKeys keys() {
        return StoreKeys.provide(
                dir, VARIABLES, () -> ACCOUNT, () -> Base64.getEncoder().encodeToString(StoreKeys.random(KEY_BYTES)));
    }
}
