package io.bucketwright.local;

import io.bucketwright.local.process.ChildProcess;
import io.bucketwright.local.report.LocalClusterException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The images of a running node. Its containerd is only reachable in the node's mount namespace, which hides some folders
 * of the machine: so the archive is read from outside.
 *
 * @param process the process that holds the node
 */
record NodeImages(Path directory, long process) {

    private static final String IMPORT =
            "nsenter --mount=/proc/$1/ns/mnt ctr --address /run/containerd/containerd.sock -n k8s.io images import - <\"$2\"";

    void add(Path archive) {
        if (!Files.isReadable(archive)) {
            throw new LocalClusterException("Cannot import the image " + archive + ": there is no such file.");
        }
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        new ChildProcess(directory, Map.of("PATH", programs() + "/usr/bin:" + path))
                .require(
                        List.of(
                                "sh",
                                "-c",
                                IMPORT,
                                "import.sh",
                                Long.toString(inside()),
                                archive.toAbsolutePath().toString()),
                        _ -> {},
                        code -> "containerd could not import the image " + archive + " (" + code + ").");
    }

    /** The folder of the node's packages, from the configuration that containerd was started with. */
    private String programs() {
        return LocalClusterException.orFail(
                "Cannot read the configuration of the node in " + directory,
                () -> Files.readString(directory.resolve("node/containerd.toml"))
                        .lines()
                        .map(String::strip)
                        .filter(line -> line.startsWith("bin_dir = "))
                        .map(line -> line.substring("bin_dir = \"".length(), line.length() - "/usr/lib/cni\"".length()))
                        .findFirst()
                        .orElse(""));
    }

    /** A process in the mount namespace of the node: the one that made it, or one that it started. */
    private long inside() {
        return LocalClusterException.orFail("Cannot read the namespaces of the node in " + directory, () -> {
            Path own = Files.readSymbolicLink(Path.of("/proc/self/ns/mnt"));
            List<ProcessHandle> candidates = ProcessHandle.of(process).stream()
                    .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()))
                    .toList();
            for (ProcessHandle candidate : candidates) {
                Path namespace = Path.of("/proc", Long.toString(candidate.pid()), "ns/mnt");
                if (!Files.readSymbolicLink(namespace).equals(own)) {
                    return candidate.pid();
                }
            }
            throw new LocalClusterException(
                    "The node in " + directory + " has no mount namespace of its own. Is it" + " still starting?");
        });
    }
}
