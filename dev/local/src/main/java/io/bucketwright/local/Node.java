package io.bucketwright.local;

import io.bucketwright.local.binaries.KubernetesVersion;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.process.Resources;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node that runs pods: containerd and kubelet in a mount and a PID namespace of their own, on the machine's network.
 * The one process we start holds all of it; with its end the kernel takes back processes, mounts and devices.
 */
record Node(ClusterFiles files, ClusterState state, Map<Program, Path> programs, Path packages, Probe probe) {

    /**
     * kubelet refuses a loopback address for its node, but takes one for its name. So its servers stay on loopback, and
     * logs and exec work on a machine without any network.
     */
    static final String NAME = "127.0.0.1";

    /** Of version 2, and of version 1. */
    private static final List<Path> CGROUPS =
            List.of(Path.of("/sys/fs/cgroup/cgroup.controllers"), Path.of("/sys/fs/cgroup/memory"));

    /** What kubelet adds to the path of its folder for its longest socket, against the kernel's limit of 107. */
    private static final int LONGEST_PATH = 107 - "/kubelet/pod-resources/kubelet.sock".length();

    /** What this machine lacks for a node, if anything. */
    static Optional<String> missing() {
        if (!System.getProperty("user.name").equals("root")) {
            return Optional.of("A node needs root, because it makes namespaces and mounts; run it with sudo.");
        }
        if (CGROUPS.stream().noneMatch(Files::exists)) {
            return Optional.of("A node needs control groups, and this machine has none of " + CGROUPS
                    + "; run it on a machine or in a container that has them.");
        }
        return Optional.empty();
    }

    static void requireMachine() {
        missing().ifPresent(missing -> {
            throw new LocalClusterException(missing + " Or leave out `node`.");
        });
    }

    Server server(CertificateAuthority authority, int apiServerPort) {
        Path folder = files.dir().resolve("node");
        if (folder.toString().length() > LONGEST_PATH) {
            throw new LocalClusterException("The path " + folder + " is too long for kubelet's sockets (" + LONGEST_PATH
                    + " characters at most). Name a shorter --dir.");
        }
        String url = ControlPlane.url(apiServerPort);
        return new Server(
                Component.NODE,
                port -> {
                    prepare(folder, port);
                    files.kubeconfig(
                            authority,
                            folder.resolve("kubeconfig"),
                            url,
                            "system:node:" + NAME,
                            List.of("system:nodes"));
                    return command();
                },
                Map.of(),
                _ -> ready(url));
    }

    private List<String> command() {
        return List.of(
                "unshare",
                "--mount",
                "--propagation=slave",
                "--pid",
                "--fork",
                "--kill-child=SIGKILL",
                "--mount-proc",
                "sh",
                "-c",
                Resources.text("node/init.sh"),
                "init.sh",
                files.dir().toString(),
                packages.toString(),
                programs.getOrDefault(Program.KUBELET, Path.of("kubelet")).toString(),
                state.id(),
                NAME);
    }

    /** Ready to run pods: the node is Ready, it has no taint, and the default service account exists. */
    private boolean ready(String url) {
        return probe.body(url + "/api/v1/nodes/" + NAME)
                        .filter(node -> node.contains("\"reason\":\"KubeletReady\""))
                        .filter(node -> !node.contains("node.kubernetes.io/not-ready"))
                        .isPresent()
                && probe.ok(url + "/api/v1/namespaces/default/serviceaccounts/default");
    }

    private void prepare(Path folder, int port) {
        LocalClusterException.orFail("Cannot prepare the node in " + folder, () -> {
            Files.createDirectories(folder.resolve("cni"));
            // Overlays cannot stand on overlays.
            String snapshotter = Files.getFileStore(folder).type().equals("overlay") ? "native" : "overlayfs";
            // An unknown field is an error to kubelet, and 1.30 has no such field: it accepts version 1 always.
            String cgroups = state.kubernetes() == KubernetesVersion.OLDEST ? "" : "failCgroupV1: false\n";
            Map<String, String> values = Map.of(
                    "@DIR@", files.dir().toString(),
                    "@NODE@", folder.toString(),
                    "@PACKAGES@", packages.toString(),
                    "@SNAPSHOTTER@", snapshotter,
                    "@CGROUP@", state.id(),
                    "@CGROUP_VERSION_1@\n", cgroups,
                    "@SUBNET@", subnet(port),
                    "@PORT@", Integer.toString(port));
            write(folder.resolve("containerd.toml"), "containerd.toml", values);
            write(folder.resolve("cni").resolve("10-bucketwright.conflist"), "cni.conflist", values);
            write(folder.resolve("kubelet.yaml"), "kubelet.yaml", values);
            return Files.writeString(folder.resolve("cgroup"), state.id() + "\n");
        });
    }

    /** kubelet's port is its alone on this machine, so a network made from it is too: no registry, no lock. */
    static String subnet(int port) {
        int offset = Math.floorMod(port, 1 << 15);
        return "10." + (128 + offset / 256) + "." + offset % 256 + ".0/24";
    }

    private static void write(Path file, String template, Map<String, String> values) throws IOException {
        String text = Resources.text("node/" + template);
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace(value.getKey(), value.getValue());
        }
        Files.writeString(file, text);
    }
}
