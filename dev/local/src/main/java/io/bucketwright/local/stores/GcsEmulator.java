package io.bucketwright.local.stores;

import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** gcp-storage-emulator, in memory. It checks no credentials. */
record GcsEmulator(Path packages, Probe probe) implements StoreServers {

    @Override
    public Server server(Component component) {
        return new Server(
                component,
                port -> List.of(
                        packages.resolve("python/bin/python").toString(),
                        "-m",
                        "gcp_storage_emulator",
                        "start",
                        "--host=127.0.0.1",
                        "--port=" + port,
                        "--in-memory"),
                Map.of("PYTHONUNBUFFERED", "1"),
                port -> probe.ok(StoreServers.url(port) + "/storage/v1/b?project=bucketwright"));
    }
}
