package io.bucketwright.local.stores;

import io.bucketwright.local.process.ChildProcess;
import io.bucketwright.local.process.Resources;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The Ceph object gateway with the smallest cluster that it runs on: one monitor and one OSD that keeps its data in
 * memory. The programs run from where their packages were unpacked. A stopped OSD cannot be started again with its data.
 */
record CephServers(Path dir, Path packages, Probe probe) implements StoreServers {

    private static final String GATEWAY = "client.rgw.a";

    /** How many ports from its own on the OSD may take; it needs four. */
    private static final int OSD_PORTS = 40;

    @Override
    public Server server(Component component) {
        return switch (component) {
            case CEPH_MON -> monitor();
            case CEPH_OSD -> osd();
            case RADOSGW -> gateway();
            default -> throw new IllegalArgumentException(component.processName() + " is not part of Ceph");
        };
    }

    private Server monitor() {
        return new Server(
                Component.CEPH_MON,
                port -> {
                    createMonitor(port);
                    return List.of(program("ceph-mon"), "-c", configuration(), "-i", "a", "-f");
                },
                environment(),
                // Reserves the id of the OSD; can be repeated, because the OSD's own id is part of it.
                _ -> succeeds(ceph("--connect-timeout", "5", "osd", "new", id("osd"))));
    }

    private Server osd() {
        return new Server(
                Component.CEPH_OSD,
                port -> {
                    if (!Files.exists(dir.resolve("osd").resolve("ready"))) {
                        run(List.of(
                                program("ceph-osd"),
                                "-c",
                                configuration(),
                                "-i",
                                "0",
                                "--mkfs",
                                "--osd-uuid",
                                id("osd")));
                    }
                    return List.of(
                            program("ceph-osd"),
                            "-c",
                            configuration(),
                            "-i",
                            "0",
                            "-f",
                            "--ms_bind_port_min=" + port,
                            "--ms_bind_port_max=" + (port + OSD_PORTS));
                },
                environment(),
                _ -> output(ceph("osd", "stat")).contains("1 up"));
    }

    private Server gateway() {
        StoreKeys keys = StoreKeys.provide(dir);
        return new Server(
                Component.RADOSGW,
                port -> List.of(
                        program("radosgw"),
                        "-c",
                        configuration(),
                        "-n",
                        GATEWAY,
                        "-f",
                        "--rgw_frontends=beast endpoint=127.0.0.1:" + port),
                environment(),
                port -> probe.ok(StoreServers.url(port)) && isAdministratorCreated(keys));
    }

    private boolean isAdministratorCreated(StoreKeys keys) {
        if (succeeds(administration("user", "info", "--uid=administrator"))) {
            return true;
        }
        // The keys are on a command line for a moment, and those of a store on loopback that lives in memory.
        run(administration(
                "user",
                "create",
                "--uid=administrator",
                "--display-name=Administrator",
                "--access-key=" + keys.id(),
                "--secret=" + keys.secret(),
                "--caps=users=*;buckets=*;usage=*;metadata=*"));
        return true;
    }

    private void createMonitor(int port) {
        LocalClusterException.orFail("Cannot prepare Ceph in " + dir, () -> {
            for (String folder : List.of("osd", "rgw", "log")) {
                Files.createDirectories(dir.resolve(folder));
            }
            String text = Resources.text("ceph.conf")
                    .replace("@FSID@", id("fs"))
                    .replace("@MON_PORT@", Integer.toString(port))
                    .replace("@LIB@", libraries().toString())
                    .replace("@DIR@", dir.toString());
            return Files.writeString(dir.resolve("ceph.conf"), text);
        });
        Path map = dir.resolve("monmap");
        run(List.of(
                program("monmaptool"),
                "--create",
                "--clobber",
                "--fsid",
                id("fs"),
                "--addv",
                "a",
                "[v2:127.0.0.1:" + port + "]",
                map.toString()));
        List<String> monitor = List.of(program("ceph-mon"), "-c", configuration(), "-i", "a");
        Path data = dir.resolve("mon");
        run(Stream.concat(
                        monitor.stream(),
                        Files.exists(data)
                                ? Stream.of("--inject-monmap", map.toString())
                                : Stream.of("--mkfs", "--monmap", map.toString()))
                .toList());
    }

    /** The same for the same folder, so that nothing has to be remembered. */
    private String id(String part) {
        return UUID.nameUUIDFromBytes((dir + "#" + part).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private List<String> ceph(String... arguments) {
        // A script of Debian's Python; another one does not find its modules.
        List<String> command = new ArrayList<>(List.of("/usr/bin/python3", program("ceph"), "-c", configuration()));
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> administration(String... arguments) {
        List<String> command = new ArrayList<>(List.of(program("radosgw-admin"), "-c", configuration(), "-n", GATEWAY));
        command.addAll(List.of(arguments));
        return command;
    }

    private boolean succeeds(List<String> command) {
        return commands().run(command, _ -> {}) == 0;
    }

    private String output(List<String> command) {
        StringBuilder output = new StringBuilder();
        commands().run(command, line -> output.append(line).append('\n'));
        return output.toString();
    }

    private void run(List<String> command) {
        commands()
                .require(
                        command,
                        _ -> {},
                        code -> Path.of(command.getFirst()).getFileName() + " ended with " + code
                                + " while Ceph was prepared in " + dir + ".");
    }

    private ChildProcess commands() {
        return new ChildProcess(dir, environment());
    }

    private Map<String, String> environment() {
        Path libraries = libraries();
        Path root = packages.resolve("lib").resolve(libraries.getFileName());
        return Map.of(
                "LD_LIBRARY_PATH",
                libraries + ":" + libraries.resolve("ceph") + ":" + root,
                "PYTHONPATH",
                packages.resolve("usr/lib/python3/dist-packages").toString());
    }

    /** The folder of the machine's architecture, such as {@code usr/lib/x86_64-linux-gnu}. */
    private Path libraries() {
        return LocalClusterException.orFail("Cannot find the libraries of Ceph in " + packages, () -> {
            try (Stream<Path> folders = Files.list(packages.resolve("usr/lib"))) {
                return folders.filter(folder -> Files.isDirectory(folder.resolve("rados-classes")))
                        .findFirst()
                        .orElseThrow(
                                () -> new IOException("there is no rados-classes; try `bucketwright local clean`"));
            }
        });
    }

    private String program(String name) {
        return packages.resolve("usr/bin").resolve(name).toString();
    }

    private String configuration() {
        return dir.resolve("ceph.conf").toString();
    }
}
