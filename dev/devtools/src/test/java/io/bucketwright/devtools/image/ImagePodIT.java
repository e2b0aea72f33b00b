package io.bucketwright.devtools.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.app.scenarios.Scenario;
import io.bucketwright.app.scenarios.ScenarioTestBase;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.server.Component;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The image: built twice, and run by a kubelet with the restrictions that clusters enforce. */
@OnCluster(with = AddOn.NODE)
@ResourceLock("provisioner bucketwright.io/bucket")
@ExtendWith(SharedImage.Provider.class)
@Order(2)
class ImagePodIT extends ScenarioTestBase {

    private static final Pattern DIGEST = Pattern.compile("digest (sha256:[0-9a-f]{64})");
    private static final Pattern REFERENCE = Pattern.compile("Image (\\S+),");
    private static final String CACHE = "/opt/bucketwright/lib/bucketwright.aot";

    @TempDir
    private static Path output;

    private static String reference = "";
    private static String digest = "";
    private static Path first = Path.of("");
    private static Path archive = Path.of("");

    @BeforeAll
    static void buildImage(SharedImage image) throws Exception {
        digest = only(DIGEST, image.printed());
        reference = only(REFERENCE, image.printed());
        first = image.folder();
        archive = image.archive();
    }

    /** But for the AOT cache, of which no two training runs give the same: docs/image.md. */
    @Test
    void twoBuildsHaveOneDigest() throws Exception {
        Path second = Files.createDirectories(output.resolve("second"));
        try (Stream<Path> files = Files.walk(first)) {
            for (Path file :
                    files.filter(path -> path.toString().contains("/aot-")).toList()) {
                Files.copy(file, second.resolve(first.relativize(file)));
            }
        }
        assertThat(only(DIGEST, SharedImage.build(second))).isEqualTo(digest);
        assertThat(second.resolve(String.valueOf(archive.getFileName()))).hasSameBinaryContentAs(archive);
        try (Stream<Path> files = Files.list(second)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .as("no second cache: the layers that it was trained with are the same")
                    .filteredOn(name -> name.startsWith("aot-"))
                    .hasSize(1);
        }
    }

    /** Scanners know a jar by the package URL of Maven, which has its group. */
    @Test
    void theSbomHasThePackageUrlOfEveryJar() throws Exception {
        Path sbom = Path.of(archive.toString().replace(".tar", ".cdx.json"));
        List<String> urls = new ArrayList<>();
        new ObjectMapper()
                .readTree(sbom.toFile())
                .path("components")
                .forEach(component -> urls.add(component.path("purl").asText()));
        assertThat(urls)
                .anyMatch(url -> url.startsWith("pkg:maven/software.amazon.awssdk/s3@"))
                .anyMatch(url -> url.startsWith("pkg:deb/debian/libc6@"))
                .filteredOn(url -> url.startsWith("pkg:generic/"))
                .singleElement()
                .asString()
                .startsWith("pkg:generic/openjdk@25");
    }

    /** AOTMode=on: the JVM does not start if it cannot use the cache. */
    @Test
    void thePodHasNoRightsAndUsesTheAotCache(TestCluster cluster) throws Exception {
        importImage(cluster);
        PodResource pod = cluster.createPod(
                pod(cluster, "version", "default", "[--version]", "-XX:AOTMode=on -XX:AOTCache=" + CACHE));
        Scenario.await("the pod to have run").until(() -> phase(pod).matches("Succeeded|Failed"));
        assertThat(pod.getLog()).matches("bucketwright \\S+, Java 25\\S*\\s+");
        assertThat(phase(pod)).isEqualTo("Succeeded");
        pod.withGracePeriod(0).delete();
    }

    @Test
    void aControllerInAPodBindsAndReleasesAClaim(TestCluster cluster) throws Exception {
        importImage(cluster);
        InstalledCommand.deploy(cluster, "rbac.yaml");
        String storageClass = scenario.storageClass("s3", scenario.s3Parameters(Map.of()), "bucketwright.io/bucket");
        String args = "[controller, --only=buckets, --lease-namespace=bucketwright, --lease-duration=3s]";
        Pod controller =
                Serialization.unmarshal(pod(cluster, cluster.namespace(), "bucketwright-buckets", args, ""), Pod.class);
        PodResource pod = cluster.admin()
                .pods()
                .inNamespace("bucketwright")
                .withName(controller.getMetadata().getName());
        Scenario.await("the service account")
                .until(() -> cluster.admin()
                                .serviceAccounts()
                                .inNamespace("bucketwright")
                                .withName("bucketwright-buckets")
                                .get()
                        != null);
        cluster.admin().resource(controller).inNamespace("bucketwright").create();
        try {
            scenario.bind("photos", Scenario.newBucket(storageClass));
            scenario.delete("photos");
            assertThat(pod.getLog()).contains("Started").doesNotContain("ERROR");
            assertThat(phase(pod)).isEqualTo("Running");
        } finally {
            pod.withGracePeriod(30).delete();
            Scenario.await("the pod to end").until(() -> pod.get() == null);
        }
    }

    /** By the command that the documentation names: nothing else puts the image on the node. */
    private static void importImage(TestCluster cluster) throws InterruptedException {
        assertThat(InstalledCommand.run(
                        output,
                        "local",
                        "import-image",
                        "--dir",
                        cluster.local().dir().toString(),
                        archive.toString()))
                .contains("Imported " + archive);
    }

    /** hostNetwork: the API server and the store of the local cluster are on the machine's loopback device. */
    private static String pod(TestCluster cluster, String name, String account, String args, String options) {
        int port = cluster.local().port(Component.KUBE_APISERVER);
        return """
            apiVersion: v1
            kind: Pod
            metadata: {name: %1$s}
            spec:
              serviceAccountName: %2$s
              restartPolicy: Never
              hostNetwork: true
              terminationGracePeriodSeconds: 30
              securityContext:
                runAsNonRoot: true
                seccompProfile: {type: RuntimeDefault}
              containers:
              - name: bucketwright
                image: %3$s
                imagePullPolicy: Never
                args: %4$s
                env:
                - {name: KUBERNETES_SERVICE_HOST, value: 127.0.0.1}
                - {name: KUBERNETES_SERVICE_PORT, value: "%5$d"}
                - {name: BUCKETWRIGHT_JAVA_OPTS, value: "%6$s"}
                resources: {limits: {memory: 256Mi}}
                securityContext:
                  allowPrivilegeEscalation: false
                  readOnlyRootFilesystem: true
                  capabilities: {drop: [ALL]}
                volumeMounts: [{name: tmp, mountPath: /tmp}]
              volumes:
              - {name: tmp, emptyDir: {}}
            """.formatted(name, account, reference, args, port, options);
    }

    private static String phase(PodResource pod) {
        return pod.require().getStatus().getPhase();
    }

    private static String only(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }
}
