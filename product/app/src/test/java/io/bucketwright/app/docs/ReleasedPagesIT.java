package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.api.Crds;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.app.scenarios.StoreView;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.testing.sdk.Boto3;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The documented objects of the released kinds, on a store: an application reads and writes with its Secret alone. */
@OnCluster(named = "released")
@ResourceLock("BucketClaims of all namespaces")
class ReleasedPagesIT {

    private static final Path DOCS = Path.of("../../docs");
    private static final Path EXAMPLES = Path.of("../../examples/cosi-released");
    private static final Pattern FILE = Pattern.compile(Pattern.quote("/bucket/BucketInfo"));
    private static final Pattern VALUES = Pattern.compile("(?s)<<EOF\n( +drivers:.*?)\n +EOF");

    @TempDir
    private Path folder = Path.of("/");

    private final List<InstalledCommand> running = new ArrayList<>();
    private final List<HasMetadata> applied = new ArrayList<>();
    private LocalStore server;
    private StoreView store;
    private TestCluster cluster;

    @BeforeEach
    void open(TestCluster testCluster) throws IOException {
        cluster = testCluster;
        cluster.install(Crds.released());
        server = LocalStore.start();
        store = new StoreView(server.access());
        start("controller", Map.of(), List.of("--cosi-api=objectstorage.k8s.io"));
        start(
                "sidecar",
                Map.of(
                        "AWS_ACCESS_KEY_ID", server.access().accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", server.access().secretAccessKey()),
                driver(Files.readString(DOCS.resolve("install.md"))));
    }

    @AfterEach
    void close() {
        running.forEach(InstalledCommand::close);
        applied.forEach(cluster::forceDelete);
        // Without its BucketAccess, a Secret belongs to nobody, and the next test uses the name again.
        Stream.of("photos-credentials", "archive-credentials")
                .map(name -> new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build())
                .forEach(cluster::forceDelete);
        store.close();
        server.close();
    }

    @Test
    void theExampleOfTheInstallPageAndTheProgramsOfTheUsersPageFitTogether() throws Exception {
        String page = Files.readString(DOCS.resolve("install.md"));
        apply(block(page.substring(page.indexOf("\n## COSI\n")), "yaml"));
        Map<String, String> secret = granted("photos", "photos-credentials");
        assertThat(secret).containsOnlyKeys("BucketInfo");
        Path info = Files.writeString(folder.resolve("BucketInfo"), secret.getOrDefault("BucketInfo", ""));
        String programs = Files.readString(DOCS.resolve("cosi-released.md"));

        assertThat(Boto3.run(inFile(block(programs, "python"), info), Map.of())).isEqualTo("world\n");
        Path source = Files.writeString(folder.resolve("Application.java"), inFile(block(programs, "java"), info));
        Path lib = InstalledCommand.DIST.resolve("lib");
        InstalledCommand java = InstalledCommand.startAny(
                folder,
                "java",
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        lib.resolve("core") + "/*:" + lib.resolve("s3") + "/*",
                        source.toString()));
        assertThat(java.await()).as(java.err()).isZero();
        // The installed libraries include one that prints a log.
        assertThat(java.out()).endsWith("world\n");
    }

    @Test
    void theExamplesGiveApplicationsTheirBucketsAlsoOneThatExisted() throws Exception {
        List.of("1-classes.yaml", "2-bucket-claim.yaml", "3-bucket-access.yaml").forEach(this::applyExample);
        Map<String, String> secret = granted("photos", "photos-credentials");
        Path info = Files.writeString(folder.resolve("BucketInfo"), String.valueOf(secret.remove("BucketInfo")));
        String program = Serialization.unmarshal(example("4-pod.yaml"), Pod.class)
                .getSpec()
                .getContainers()
                .getFirst()
                .getEnv()
                .getFirst()
                .getValue();
        assertThat(program).isEqualTo(block(Files.readString(DOCS.resolve("cosi-released.md")), "python"));
        assertThat(Boto3.run(inFile(program, info), Map.of())).isEqualTo("world\n");
        assertThat(Boto3.run("""
                import boto3, os
                bucket = os.environ["BUCKET_NAME"]
                s3 = boto3.client("s3")
                print(s3.get_object(Bucket=bucket, Key="hello")["Body"].read().decode())
                s3.delete_object(Bucket=bucket, Key="hello")
                """, secret)).isEqualTo("world\n");

        existing("archive-2019");
        List.of("5-existing-bucket.yaml", "6-claim-for-existing-bucket.yaml").forEach(this::applyExample);
        assertReadOnly("archive-2019", granted("archive", "archive-credentials"));
    }

    /** With this driver, the Bucket may have any name. */
    @Test
    void anExistingBucketIsFoundUnderItsOwnNameWhateverTheBucketObjectIsCalled() throws Exception {
        existing("archive-2020");
        applyExample("1-classes.yaml");
        apply(example("5-existing-bucket.yaml")
                .replace("name: archive-2019", "name: old-archive")
                .replace("existingBucketID: archive-2019", "existingBucketID: archive-2020"));
        apply(example("6-claim-for-existing-bucket.yaml")
                .replace("existingBucketName: archive-2019", "existingBucketName: old-archive"));
        assertReadOnly("archive-2020", granted("archive", "archive-credentials"));
    }

    private void existing(String bucket) {
        store.create(bucket);
        store.put(bucket, "hello", "of 2019");
    }

    private static void assertReadOnly(String bucket, Map<String, String> secret) throws IOException {
        JsonNode spec = new ObjectMapper()
                .readTree(secret.getOrDefault("BucketInfo", ""))
                .path("spec");
        assertThat(spec.path("bucketName").asText()).isEqualTo(bucket);
        Map<String, String> variables = Map.of(
                "BUCKET_NAME", spec.path("bucketName").asText(),
                "AWS_ENDPOINT_URL_S3", spec.at("/secretS3/endpoint").asText(),
                "AWS_DEFAULT_REGION", spec.at("/secretS3/region").asText(),
                "AWS_ACCESS_KEY_ID", spec.at("/secretS3/accessKeyID").asText(),
                "AWS_SECRET_ACCESS_KEY", spec.at("/secretS3/accessSecretKey").asText());
        assertThat(Boto3.run("""
                import boto3, os
                print(boto3.client("s3").get_object(Bucket=os.environ["BUCKET_NAME"], Key="hello")["Body"].read().decode())
                """, variables)).isEqualTo("of 2019\n");
        assertThatThrownBy(() -> Boto3.run("""
                import boto3, os
                boto3.client("s3").put_object(Bucket=os.environ["BUCKET_NAME"], Key="hello", Body=b"no")
                """, variables)).hasMessageContaining("AccessDenied");
    }

    /** Waits for the access and returns what its Secret has. */
    private Map<String, String> granted(String access, String secret) {
        Eventually.await(access + " to be granted")
                .until(() -> cluster.admin()
                        .resources(ReleasedBucketAccess.class)
                        .inNamespace("default")
                        .withName(access)
                        .require()
                        .status()
                        .accessGranted());
        return new HashMap<>(TestCluster.decoded(cluster.admin()
                .secrets()
                .inNamespace("default")
                .withName(secret)
                .require()));
    }

    private void applyExample(String file) {
        apply(example(file));
    }

    private static String example(String file) {
        try {
            return Files.readString(EXAMPLES.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void apply(String yaml) {
        List<HasMetadata> objects = cluster.admin()
                .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items();
        for (HasMetadata object : objects) {
            HasMetadata created =
                    cluster.admin().resource(object).forceConflicts().serverSideApply();
            applied.addFirst(created);
            if (created instanceof BucketClaim claim) {
                // Its Bucket stays: policy Delete deletes no bucket with objects.
                applied.add(bucket("bucket-" + claim.getMetadata().getUid()));
            }
        }
    }

    private static ReleasedBucket bucket(String name) {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
        return bucket;
    }

    /** The flags of the driver in the values for the chart, with the addresses of this store. */
    private List<String> driver(String page) {
        Matcher values = VALUES.matcher(page.substring(page.indexOf("\n## COSI\n")));
        assertThat(values.find()).isTrue();
        JsonNode driver = Serialization.unmarshal(values.group(1).stripIndent(), JsonNode.class)
                .at("/drivers/0");
        StoreAccess access = server.access();
        Map<String, String> here =
                Map.of("endpoint", access.endpoint(), "iamEndpoint", access.iamEndpoint(), "region", access.region());
        List<String> flags = new ArrayList<>(
                List.of("--with-driver", "--driver-name=" + driver.path("name").asText(), "--store=s3"));
        driver.path("parameters").fieldNames().forEachRemaining(name -> {
            assertThat(here).containsKey(name);
            flags.add("--param=" + name + "=" + here.get(name));
        });
        return flags;
    }

    private void start(String command, Map<String, String> environment, List<String> more) {
        InstalledCommand started = InstalledCommand.start(
                folder,
                command,
                environment,
                List.of(),
                Stream.of(
                                List.of("--log-format=json", "cosi", command),
                                more,
                                List.of(
                                        "--lease-namespace=" + cluster.namespace(),
                                        "--kubeconfig=" + cluster.user(command).kubeconfig()))
                        .flatMap(List::stream)
                        .toArray(String[]::new));
        running.add(started);
        started.awaitStarted();
    }

    /** The program, reading another file. */
    private static String inFile(String program, Path info) {
        assertThat(FILE.matcher(program).results().map(MatchResult::group)).hasSize(1);
        return FILE.matcher(program).replaceFirst(Matcher.quoteReplacement(info.toString()));
    }

    /** The first block of that language. */
    private static String block(String page, String language) {
        String fence = "\n```" + language + "\n";
        int start = page.indexOf(fence) + fence.length();
        assertThat(start).isGreaterThan(fence.length());
        return page.substring(start, page.indexOf("\n```", start) + 1);
    }
}
