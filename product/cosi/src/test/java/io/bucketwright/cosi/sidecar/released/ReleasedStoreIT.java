package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.cosi.controller.claims.BucketClaimController;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.local.AddOn;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Controller, sidecar and driver of this project for the released kinds, on a real store and with the deployed role. */
@OnCluster(with = AddOn.S3, named = "controllers")
@ResourceLock("BucketClaims of all namespaces")
class ReleasedStoreIT {

    /** How many claims are created at once, as many as in the measurements of the reference. */
    private static final int CLAIMS = 200;

    private static final Logger log = LoggerFactory.getLogger(ReleasedStoreIT.class);

    private final StartedProcesses processes = new StartedProcesses();
    private final List<HasMetadata> made = new ArrayList<>();
    private TestCluster cluster;
    private ReleasedFixture bench;
    private S3Store store;
    private CosiDriver driver;
    private ApiUser controller;

    @BeforeEach
    void open(TestCluster testCluster) {
        cluster = testCluster;
        store = new S3Store(cluster.local().s3().orElseThrow());
        bench = new ReleasedFixture(cluster, deployed("sidecar"), "s3." + cluster.namespace());
        driver = new CosiDriver(
                new DriverSettings(bench.driverName, "s3", store.parameters()),
                Stores.installed(),
                () -> new AdministratorSecret(store.secrets()));
        controller = cluster.user("controller");
        processes.start(ClientOptions.config(BucketClaimController.builder(), controller.config())
                .build());
        start();
        ReleasedBucketClass bucketClass = new ReleasedBucketClass();
        bucketClass.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace()).build());
        bucketClass.setDriverName(bench.driverName);
        bucketClass.setDeletionPolicy("Delete");
        made.add(cluster.admin().resource(bucketClass).create());
        bench.accessClass("writers", bench.driverName, Map.of());
    }

    @AfterEach
    void close() {
        bench.close();
        processes.close();
        made.forEach(cluster::forceDelete);
        driver.close();
    }

    private void start() {
        bench.start(ClientOptions.config(ReleasedSidecar.builder(), bench.user.config())
                .driverName(bench.driverName)
                .driver(driver::services)
                .build());
    }

    /** As the manifest says, in the namespace of the applications. */
    private static final String SECRETS = """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata:
              name: bucketwright-cosi-secrets
              namespace: bucketwright-cosi
            roleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: ClusterRole
              name: bucketwright-cosi-released-sidecar-secrets
            subjects:
            - {kind: ServiceAccount, name: cosi-released-sidecar, namespace: bucketwright-cosi}
            """;

    /** A user with the permissions of the deployed sidecar. */
    private ApiUser deployed(String name) {
        ApiUser user = cluster.user(name, List.of());
        String own = "released-" + cluster.namespace();
        try {
            String yaml = (Files.readString(Path.of("../../deploy/cosi-released-sidecar-rbac.yaml")) + SECRETS)
                    .replace("driver.example.com", "s3." + cluster.namespace())
                    .replace("system:serviceaccount:bucketwright-cosi:cosi-released-sidecar", user.name())
                    .replace("name: bucketwright-cosi-released-sidecar", "name: " + own)
                    .replace("policyName: bucketwright-cosi-released-sidecar", "policyName: " + own)
                    .replace("name: cosi-released-sidecar", "name: " + own)
                    .replace("namespace: bucketwright-cosi", "namespace: " + cluster.namespace())
                    .replaceAll(
                            "- \\{kind: ServiceAccount.*\\}",
                            "- {apiGroup: rbac.authorization.k8s.io, kind: User, name: " + user.name() + "}");
            cluster.admin().load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).items().stream()
                    .filter(item -> !item.getKind().equals("Namespace"))
                    .forEach(item -> made.add(
                            cluster.admin().resource(item).forceConflicts().serverSideApply()));
            return user;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private BucketClaim claim(String name) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName(name)
                .build());
        claim.setSpec(new BucketClaimSpec(cluster.namespace(), List.of("S3"), ""));
        return cluster.admin().resource(claim).create();
    }

    @Test
    void anApplicationUsesItsBucketUntilItsAccessIsDeleted() throws Exception {
        BucketClaim claim = claim("photos");
        ReleasedBucketAccess access = bench.access("photos", "photos", "writers");
        bench.awaitReady(claim);
        bench.awaitGranted(access);
        JsonNode spec = new ObjectMapper().readTree(bench.infoOf(access)).path("spec");
        String bucket = spec.path("bucketName").asText();
        try (S3Client application = application(spec)) {
            application.putObject(request -> request.bucket(bucket).key("hello"), RequestBody.fromString("world"));
            bench.delete(access);
            bench.awaitDeleted(access);
            assertThatThrownBy(() -> application.getObjectAsBytes(
                            request -> request.bucket(bucket).key("hello")))
                    .isInstanceOf(S3Exception.class);
        }
        bench.delete(claim);
        ReleasedBucket kept =
                cluster.admin().resources(ReleasedBucket.class).withName(bucket).require();
        bench.awaitEvent(kept, "To delete its objects with it, set the parameter onNotEmpty");
        try (S3Client administrator = store.s3()) {
            assertThat(administrator
                            .getObjectAsBytes(request -> request.bucket(bucket).key("hello"))
                            .asUtf8String())
                    .isEqualTo("world");
        }
        cluster.admin()
                .resources(ReleasedBucket.class)
                .withName(bucket)
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                    {"spec": {"parameters": {"onNotEmpty": "purge"}}}""");
        bench.awaitDeleted(claim);
        ReleasedFixture.await("the Bucket to be deleted")
                .until(() -> cluster.admin()
                                .resources(ReleasedBucket.class)
                                .withName(bucket)
                                .get()
                        == null);
    }

    /** Field defect: the reference ends a burst of claims with none of them ready. */
    @Test
    void aBurstOfClaimsAndAccessesIsReadyWithinTheBudgetAndStaysReady() throws Exception {
        bench.awaitSettled();
        RequestCounts before = cluster.requests(bench.user);
        RequestCounts controllerBefore = cluster.requests(controller);
        List<BucketClaim> claims = new ArrayList<>();
        List<ReleasedBucketAccess> accesses = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            claims.add(claim("c" + i));
            accesses.add(bench.access("c" + i, "c" + i, "writers"));
        }
        ReleasedFixture.await("all claims and accesses to be ready")
                .pollInterval(Duration.ofSeconds(2))
                .atMost(Duration.ofMinutes(5))
                .until(this::everythingIsReady);
        bench.awaitSettled();
        RequestCounts sidecar = cluster.requests(bench.user).since(before);
        RequestCounts controllers =
                cluster.requests(controller).since(controllerBefore).within(cluster.namespace());
        log.info("{} claims: sidecar {}, controller {}", CLAIMS, sidecar, controllers);
        assertThat(sidecar.writes() + controllers.writes())
                .as("%s %s", sidecar, controllers)
                .isLessThanOrEqualTo((7L + 5L) * CLAIMS);
        assertThat(sidecar.reads() + controllers.reads()).isZero();
        assertThat(sidecar.events() + controllers.events()).isLessThanOrEqualTo(2L * CLAIMS);

        bench.stopSidecars();
        RequestCounts atStop = cluster.requests(bench.user);
        start();
        bench.awaitSettled();
        RequestCounts restart = cluster.requests(bench.user).since(atStop);
        assertThat(restart.writes() + restart.reads() + restart.events())
                .as(restart.toString())
                .isZero();
        assertThat(everythingIsReady()).as("all claims and accesses stay ready").isTrue();
        accesses.forEach(bench::delete);
        claims.forEach(bench::delete);
        ReleasedFixture.await("all claims to be deleted")
                .pollInterval(Duration.ofSeconds(2))
                .atMost(Duration.ofMinutes(5))
                .until(() -> claims().isEmpty());
    }

    private boolean everythingIsReady() {
        List<ReleasedBucketAccess> granted = cluster.admin()
                .resources(ReleasedBucketAccess.class)
                .inNamespace(cluster.namespace())
                .list()
                .getItems();
        return claims().stream().filter(claim -> claim.status().bucketReady()).count() == CLAIMS
                && granted.stream()
                                .filter(access -> access.status().accessGranted())
                                .count()
                        == CLAIMS;
    }

    private List<BucketClaim> claims() {
        return cluster.admin()
                .resources(BucketClaim.class)
                .inNamespace(cluster.namespace())
                .list()
                .getItems();
    }

    private static S3Client application(JsonNode spec) {
        JsonNode key = spec.path("secretS3");
        return S3Store.application(Map.of(
                "BUCKET_ENDPOINT", key.path("endpoint").asText(),
                "AWS_ACCESS_KEY_ID", key.path("accessKeyID").asText(),
                "AWS_SECRET_ACCESS_KEY", key.path("accessSecretKey").asText()));
    }
}
