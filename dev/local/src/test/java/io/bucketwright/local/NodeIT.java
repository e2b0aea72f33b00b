package io.bucketwright.local;

import static io.bucketwright.local.LocalClusterIT.kubectl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods on a real kubelet, and what is left of them: nothing. */
class NodeIT {

    private static final String WAITING_POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: waiting}
            spec:
              restartPolicy: Never
              containers:
              - name: app
                image: bucketwright.local/busybox:1
                imagePullPolicy: Never
                command: [sh, -c, 'echo bucket=$BUCKET_NAME; sleep 600']
                envFrom: [{configMapRef: {name: bucket}}]
            """;

    @TempDir
    private Path temporary;

    @BeforeEach
    void needsRoot() {
        boolean root = System.getProperty("user.name").equals("root");
        boolean required = Optional.ofNullable(System.getenv("BUCKETWRIGHT_REQUIRE"))
                .orElse("")
                .contains("node");
        assertThat(root || !required)
                .as("BUCKETWRIGHT_REQUIRE names node, which needs root")
                .isTrue();
        assumeTrue(root, "a node needs root");
    }

    @Test
    void aPodWaitsForItsConfigMapAndRunsAndNothingIsLeftWhenTheClusterStops() throws Exception {
        List<String> mounts = mounts();
        List<String> groups;
        String network;
        try (LocalCluster cluster = LocalCluster.builder().with(AddOn.NODE).start()) {
            assertThat(kubectl(cluster, "get", "nodes")).contains("127.0.0.1   Ready");
            Path pod = Files.writeString(cluster.dir().resolve("users/pod.yaml"), WAITING_POD);
            kubectl(cluster, "apply", "-f", pod.toString());
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> kubectl(cluster, "get", "pod", "waiting").contains("CreateContainerConfigError"));

            kubectl(cluster, "create", "configmap", "bucket", "--from-literal=BUCKET_NAME=photos");

            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> kubectl(cluster, "logs", "waiting").equals("bucket=photos"));
            network = network(cluster.dir());
            assertThat(devices(network)).as("network devices of the pod").hasSize(1);
            groups = groups(cluster.dir());
            assertThat(groups).isNotEmpty();
            assertThat(shares(groups))
                    .as("all pods together have more of the processors than one thread of the machine")
                    .doesNotContain("1024");
        }
        await().atMost(1, TimeUnit.MINUTES).until(() -> mounts.containsAll(mounts()));
        await().atMost(1, TimeUnit.MINUTES).until(() -> devices(network).isEmpty());
        assertThat(groups).noneMatch(group -> Files.exists(Path.of(group)));
    }

    @Test
    void aKilledOwnerLeavesNoProcessMountOrDeviceOfItsNode() throws Exception {
        List<String> mounts = mounts();
        Path dir = temporary.resolve("c");
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Owner.class.getName(),
                        dir.toString())
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("owner.log").toFile())
                .start();
        await().atMost(2, TimeUnit.MINUTES).until(() -> Files.exists(dir.resolve("users/running")));
        List<String> groups = groups(dir);
        String network = network(dir);
        assertThat(devices(network)).as("network devices of the pod").hasSize(1);
        List<ProcessHandle> node = ProcessHandle.of(Long.parseLong(
                        Files.readString(dir.resolve("pids/node")).split(" ", -1)[0]))
                .orElseThrow()
                .descendants()
                .toList();
        assertThat(node)
                .as("unshare, init, containerd, kubelet, shims, containers")
                .hasSizeGreaterThan(4);

        owner.destroyForcibly();

        await().atMost(1, TimeUnit.MINUTES).until(() -> !Files.exists(dir));
        assertThat(node).noneMatch(NodeIT::runs);
        await().atMost(1, TimeUnit.MINUTES).until(() -> mounts.containsAll(mounts()));
        await().atMost(1, TimeUnit.MINUTES).until(() -> devices(network).isEmpty());
        assertThat(groups).isNotEmpty().noneMatch(group -> Files.exists(Path.of(group)));
    }

    /** A JVM that has a pod running and waits to be killed. */
    static final class Owner {
        public static void main(String[] arguments) throws Exception {
            LocalCluster cluster = LocalCluster.builder()
                    .dir(Path.of(arguments[0]))
                    .with(AddOn.NODE)
                    .start();
            kubectl(cluster, "create", "configmap", "bucket", "--from-literal=BUCKET_NAME=photos");
            Path pod = Files.writeString(cluster.dir().resolve("users/pod.yaml"), WAITING_POD);
            kubectl(cluster, "apply", "-f", pod.toString());
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> kubectl(cluster, "logs", "waiting").equals("bucket=photos"));
            Files.createFile(cluster.dir().resolve("users/running"));
            new CountDownLatch(1).await();
        }
    }

    @Test
    void networksOfTwoNodesDoNotOverlap() {
        assertThat(Stream.of(20_000, 20_001, 20_256, 31_999).map(Node::subnet))
                .doesNotHaveDuplicates()
                .allMatch(subnet -> subnet.matches("10\\.(1[2-9]\\d|2[0-4]\\d|25[0-5])\\.\\d+\\.0/24"));
    }

    /** A zombie does not: it only waits for its new parent, which on a machine in a container may never look. */
    private static boolean runs(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException deleted) {
            return false;
        }
    }

    /** Tests of other builds mount and unmount at the same time; what a node left would stay. */
    private static List<String> mounts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mounts"));
    }

    /** The first three numbers of the addresses that this node gives to its pods. */
    private static String network(Path dir) throws IOException {
        Matcher subnet = Pattern.compile("\"subnet\": \"([0-9.]+\\.)0/24\"")
                .matcher(Files.readString(dir.resolve("node/cni/10-bucketwright.conflist")));
        assertThat(subnet.find()).isTrue();
        return subnet.group(1);
    }

    /** The machine's ends of the devices of pods in this network; nodes of other builds have others. */
    private static List<String> devices(String network) throws IOException {
        return NetworkInterface.networkInterfaces()
                .filter(device -> device.inetAddresses()
                        .anyMatch(address -> address.getHostAddress().startsWith(network)))
                .map(NetworkInterface::getName)
                .toList();
    }

    /** Control groups of version 1 have shares; those of version 2 compete with groups, not with threads. */
    private static List<String> shares(List<String> groups) throws IOException {
        List<String> shares = new ArrayList<>();
        for (String group : groups) {
            Path file = Path.of(group, "cpu.shares");
            if (Files.exists(file)) {
                shares.add(Files.readString(file).strip());
            }
        }
        return shares;
    }

    private static List<String> groups(Path dir) throws IOException {
        String name = Files.readString(dir.resolve("node/cgroup")).trim();
        try (Stream<Path> groups = Files.walk(Path.of("/sys/fs/cgroup"), 2)) {
            return groups.filter(group -> group.endsWith(name))
                    .map(Path::toString)
                    .toList();
        }
    }
}
