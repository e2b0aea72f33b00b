package io.bucketwright.devtools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.app.InstalledCommand;
import io.bucketwright.devtools.Kubectl;
import io.bucketwright.devtools.image.SharedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Parts of the demo, a demo that is kept, one that fails, and one that is interrupted. */
@ExtendWith(SharedImage.Provider.class)
@Order(1)
class DemoIT {

    private static final Pattern DOWN = Pattern.compile("local down --dir (\\S+)");
    private static final Pattern LOGS = Pattern.compile("The logs of all processes are in (\\S+)\\.");

    @TempDir
    private Path temporary;

    @Test
    void onlyVolumesNeedsNoStoreAndLeavesNothing() throws Exception {
        InstalledCommand demo = start("demo", "--only", "volumes");
        assertThat(demo.await()).as(demo.out() + demo.err()).isZero();
        assertThat(demo.out())
                .contains("reads cache.txt: \"worth keeping\"", "Volume and directory are deleted.", "Deleted.")
                .doesNotContain("ObjectBucketClaim", "COSI");
        assertThat(demo.err()).doesNotContain("versitygw", "\r");
        assertThat(InstalledCommand.processesOf(temporary.toString())).isEmpty();
        assertThat(temporary).isDirectoryNotContaining(path -> Files.isDirectory(path));
    }

    @Test
    void aKeptDemoBindsFurtherClaimsUntilItIsDeletedWithTheCommandThatItPrints() throws Exception {
        InstalledCommand demo = start("demo", "--keep", "--only=volumes,buckets,cosi.io");
        assertThat(demo.await()).as(demo.out() + demo.err()).isZero();
        Matcher dir = DOWN.matcher(demo.out());
        assertThat(dir.find()).as(demo.out()).isTrue();
        String cluster = dir.group(1);
        String kubeconfig = cluster + "/kubeconfig";
        try {
            assertThat(run("claim", "list", "--all-namespaces", "--kubeconfig", kubeconfig))
                    .contains("photos", "Bound");
            run(
                    "claim",
                    "create",
                    "more",
                    "--generate-name=more",
                    "--class=demo",
                    "--namespace=demo",
                    "--wait",
                    "--kubeconfig",
                    kubeconfig);
            assertThat(run("local", "status", "--dir", cluster)).contains("bucket-controller", "pv-releaser");
            assertThat(run("local", "kubectl", "--dir", cluster, "get", "pvc", "-n", "demo"))
                    .contains("second", "Bound");
            assertThat(run("local", "kubectl", "--dir", cluster, "get", "bucketaccessrequest.cosi.io", "-n", "demo"))
                    .contains("requested-reader", "Bound");
        } finally {
            run("local", "down", "--dir", cluster);
        }
        assertThat(InstalledCommand.processesOf(cluster)).isEmpty();
        assertThat(Path.of(cluster)).doesNotExist();
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void podsOfTheImageServeTheSameClaims(SharedImage image) throws Exception {
        requireRoot();
        assertThat(image.archive()).exists();
        InstalledCommand demo = start("demo", "--image");
        assertThat(demo.process().waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(demo.process().exitValue()).as(demo.out() + demo.err()).isZero();
        assertThat(demo.err()).as("the image exists").doesNotContain("Java runtime", "AOT cache");
        assertThat(demo.out())
                .contains("Deployment bucketwright-buckets: its pod is ready")
                .contains("writes and reads back: \"Hello, bucket\"", "writes and reads back: \"Hello, COSI\"")
                .contains("its keys still give access: no")
                .contains("reads cache.txt: \"worth keeping\"", "Volume and directory are deleted.", "Deleted.")
                .doesNotContain("$ bucketwright");
        assertThat(InstalledCommand.processesOf(temporary.toString())).isEmpty();
        assertThat(temporary).isDirectoryNotContaining(path -> Files.isDirectory(path));
    }

    @Test
    void withoutRootTheImageIsRefusedBeforeAnythingIsBuilt() throws Exception {
        InstalledCommand demo = InstalledCommand.start(
                temporary,
                "refused",
                Map.of("BUCKETWRIGHT_JAVA_OPTS", "-Duser.name=nobody -Djava.io.tmpdir=" + temporary),
                List.of(),
                "demo",
                "--image");
        assertThat(demo.await()).isEqualTo(1);
        assertThat(demo.out()).isEmpty();
        assertThat(demo.err()).contains("--image", "root", "sudo", "without --image");
    }

    private static void requireRoot() {
        boolean root = "root".equals(System.getProperty("user.name"));
        boolean required = Optional.ofNullable(System.getenv("BUCKETWRIGHT_REQUIRE"))
                .orElse("")
                .contains("node");
        assertThat(root || !required)
                .as("BUCKETWRIGHT_REQUIRE names node, which needs root")
                .isTrue();
        assumeTrue(root, "a node needs root");
    }

    @Test
    void aStepThatFailsIsReportedWithTheLogOfItsController() throws Exception {
        InstalledCommand demo = start("demo", "--only", "volumes");
        kill("KILL", awaitPid("pv-releaser", demo));
        assertThat(demo.await()).as(demo.out()).isEqualTo(1);
        assertThat(demo.err())
                .containsPattern("bucketwright: The demo failed in step \\d+, \"")
                .containsPattern("The last lines of \\S+/pv-releaser.log:")
                .doesNotContain("\tat ");
        Matcher logs = LOGS.matcher(demo.err());
        assertThat(logs.find()).isTrue();
        assertThat(Path.of(logs.group(1))).isDirectoryContaining("glob:**/kube-apiserver.log");
        assertThat(InstalledCommand.processesOf(temporary.toString() + "/bucketwright-"))
                .isEmpty();
    }

    @Test
    void anInterruptEndsEverythingQuietly() throws Exception {
        InstalledCommand demo = start("demo", "--only", "volumes");
        awaitPid("directory-provisioner", demo);
        kill("INT", demo.process().pid());
        assertThat(demo.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(demo.process().exitValue()).isEqualTo(130);
        assertThat(demo.err()).doesNotContain("failed", "Exception");
        await().until(() -> InstalledCommand.processesOf(temporary.toString() + "/bucketwright-")
                .isEmpty());
        assertThat(temporary).isDirectoryNotContaining(path -> Files.isDirectory(path));
    }

    /** The cluster of the user is another local one here. */
    @Test
    void anInterruptOfADemoInAnotherClusterLeavesNothingThere() throws Exception {
        Path theirs = temporary.resolve("theirs");
        run("local", "up", "--dir", theirs.toString());
        try {
            Path kubeconfig = theirs.resolve("kubeconfig");
            Kubectl kubectl = new Kubectl(kubeconfig);
            String context = kubectl.run("config", "current-context").strip();
            InstalledCommand demo = InstalledCommand.start(
                    temporary,
                    "in-context",
                    Map.of("BUCKETWRIGHT_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary, "KUBECONFIG", "" + kubeconfig),
                    List.of(),
                    "demo",
                    "--only=buckets",
                    "--context=" + context);
            await().atMost(2, TimeUnit.MINUTES)
                    .until(() -> demo.out().contains("Bound after")
                            || !demo.process().isAlive());
            kill("INT", demo.process().pid());
            assertThat(demo.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.process().exitValue()).as(demo.out() + demo.err()).isEqualTo(130);
            await().atMost(60, TimeUnit.SECONDS)
                    .pollInterval(1, TimeUnit.SECONDS)
                    .until(() -> !kubectl.run("get", "ob,obc,ns,sc,secrets", "-A", "-o", "name")
                            .contains("bucketwright-demo"));
            assertThat(kubectl.run("get", "ob,obc,ns", "-A", "-o", "name"))
                    .contains("namespace/default")
                    .doesNotContain("objectbucket");
        } finally {
            run("local", "down", "--dir", theirs.toString());
        }
    }

    /** The process of a controller of the demo, as soon as it has one. */
    private long awaitPid(String controller, InstalledCommand demo) throws IOException {
        await().atMost(2, TimeUnit.MINUTES)
                .until(() -> !pids(controller).isEmpty() || !demo.process().isAlive());
        assertThat(pids(controller)).as(demo.err()).hasSize(1);
        return pids(controller).getFirst();
    }

    private List<Long> pids(String controller) throws IOException {
        try (var clusters = Files.newDirectoryStream(temporary, "bucketwright-*")) {
            for (Path cluster : clusters) {
                Path pid = cluster.resolve("pids").resolve(controller);
                if (Files.exists(pid)) {
                    return List.of(Long.parseLong(Files.readString(pid).split(" ", 2)[0]));
                }
            }
        }
        return List.of();
    }

    private static void kill(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
    }

    private InstalledCommand start(String... arguments) {
        return InstalledCommand.start(
                temporary,
                "run-" + System.nanoTime(),
                Map.of("BUCKETWRIGHT_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary),
                List.of(),
                arguments);
    }

    private String run(String... arguments) throws InterruptedException {
        InstalledCommand command = start(arguments);
        assertThat(command.await()).as(command.out() + command.err()).isZero();
        return command.out();
    }
}
