package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.sidecar.accesses.SecretData;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** The bench of one test: its own provisioner, a scripted driver, and objects as the controller creates them. */
public final class SidecarBench implements AutoCloseable {

    private final TestCluster cluster;
    private final Provisioner provisioner;
    private final Path directory;
    private final ScriptedDriver driver;
    private final Deque<ControllerProcess> open = new ArrayDeque<>();

    SidecarBench(TestCluster cluster) {
        this(cluster, "driver.test");
    }

    SidecarBench(TestCluster cluster, String driverName) {
        this.cluster = cluster;
        this.provisioner = new Provisioner(cluster.namespace(), driverName);
        try {
            this.directory = Files.createTempDirectory("cosi");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.driver = new ScriptedDriver(directory, driverName);
        install(cluster.admin());
    }

    public static void install(KubernetesClient admin) {
        for (var definition : Crds.cosi()) {
            admin.resource(definition).forceConflicts().serverSideApply();
            admin.resource(definition)
                    .waitUntilCondition(
                            crd -> crd.getStatus() != null
                                    && crd.getStatus().getConditions() != null
                                    && crd.getStatus().getConditions().stream()
                                            .anyMatch(it -> it.getType().equals("Established")
                                                    && it.getStatus().equals("True")),
                            30,
                            TimeUnit.SECONDS);
        }
    }

    /** A user with the permissions of the deployed sidecar in the namespace of the test. */
    public static ApiUser deployed(TestCluster cluster, String name) {
        ApiUser user = cluster.user(name, List.of());
        String suffix = "-" + cluster.namespace();
        try {
            String yaml = Files.readString(Path.of("../deploy/cosi-sidecar-rbac.yaml"))
                    .replace("name: bucketwright-cosi-sidecar-events", "name: events-" + name + suffix)
                    .replace("name: bucketwright-cosi-sidecar", "name: sidecar-" + name + suffix)
                    .replace("name: cosi-sidecar", "name: sidecar-" + name + suffix)
                    .replace("namespace: bucketwright-cosi", "namespace: " + cluster.namespace())
                    .replace("name: bucketwright-cosi\n", "name: " + cluster.namespace() + "\n")
                    .replaceAll(
                            "- \\{kind: ServiceAccount.*\\}",
                            "- {apiGroup: rbac.authorization.k8s.io, kind: User, name: " + user.name() + "}");
            cluster.admin().load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).items().stream()
                    .filter(item -> !item.getKind().equals("Namespace"))
                    .forEach(item ->
                            cluster.admin().resource(item).forceConflicts().serverSideApply());
            return user;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ScriptedDriver driver() {
        return driver;
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    Provisioner provisioner() {
        return provisioner;
    }

    ControllerProcess sidecar(ApiUser user) {
        return sidecar(user, _ -> {});
    }

    ControllerProcess sidecar(ApiUser user, Consumer<CosiSidecar.Builder> more) {
        CosiSidecar.Builder builder = CosiSidecar.builder()
                .client(user.config())
                .provisioner(provisioner.toString())
                .driver(driver.endpoint());
        more.accept(builder);
        ControllerProcess made = builder.build().start();
        open.push(made);
        try {
            made.awaitReady();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return made;
    }

    Bucket bucket(String name) {
        return bucket(name, UnaryOperator.identity());
    }

    /** A Bucket as the controller creates it for a BucketRequest. */
    Bucket bucket(String name, UnaryOperator<BucketSpec> more) {
        Bucket bucket = new Bucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName(unique(name))
                .withFinalizers(CosiNames.FINALIZER)
                .withLabels(Map.of(CosiNames.PROVISIONER_LABEL, provisioner.label()))
                .build());
        bucket.setSpec(more.apply(Specs.of(
                BucketSpec.class,
                "provisioner",
                provisioner.toString(),
                "releasePolicy",
                "Delete",
                "anonymousAccessMode",
                "private",
                "protocol",
                BucketProtocol.named(Protocol.S3, "b-" + UUID.randomUUID()),
                "bucketRequest",
                new BucketRequestRef(cluster.namespace(), name, "some-uid"))));
        return admin().resource(bucket).create();
    }

    BucketAccess access(String name, Bucket bucket) {
        return access(name, bucket, UnaryOperator.identity());
    }

    /** A BucketAccess as the controller creates it for a BucketAccessRequest. */
    BucketAccess access(String name, Bucket bucket, UnaryOperator<BucketAccessSpec> more) {
        BucketAccess access = new BucketAccess();
        access.setMetadata(new ObjectMetaBuilder()
                .withName(unique(name))
                .withFinalizers(CosiNames.FINALIZER, CosiNames.PROVISIONER_FINALIZER)
                .withLabels(Map.of(CosiNames.PROVISIONER_LABEL, provisioner.label()))
                .build());
        access.setSpec(more.apply(Specs.of(
                BucketAccessSpec.class,
                "bucketAccessRequestName",
                name,
                "bucketAccessRequestNamespace",
                cluster.namespace(),
                "bucketAccessRequestUid",
                "some-uid",
                "bucketRequest",
                new BucketRequestRef(cluster.namespace(), name, "some-uid"),
                "applicationSecretName",
                name,
                "bucketName",
                bucket.getMetadata().getName(),
                "bucketUid",
                bucket.getMetadata().getUid(),
                "provisioner",
                provisioner.toString(),
                "protocol",
                "s3")));
        return admin().resource(access).create();
    }

    private String unique(String name) {
        return name + "-" + cluster.namespace() + "-" + provisioner.name();
    }

    @Nullable
    Bucket get(Bucket bucket) {
        return admin().resource(bucket).get();
    }

    Bucket require(Bucket bucket) {
        return admin().resource(bucket).require();
    }

    @Nullable
    BucketAccess get(BucketAccess access) {
        return admin().resource(access).get();
    }

    BucketAccess require(BucketAccess access) {
        return admin().resource(access).require();
    }

    @Nullable
    Secret secretOf(BucketAccess access) {
        return admin().secrets()
                .inNamespace(provisioner.namespace())
                .withName(CosiNames.accountOf(access.getMetadata().getUid()))
                .get();
    }

    String keyOf(BucketAccess access) {
        return Optional.ofNullable(secretOf(access))
                .flatMap(secret -> Optional.ofNullable(SecretData.of(secret).get("AWS_SECRET_ACCESS_KEY")))
                .map(SecretValue::reveal)
                .orElse("");
    }

    String reasonOf(Bucket bucket) {
        return require(bucket)
                .status()
                .condition("Ready")
                .map(Condition::getReason)
                .orElse("");
    }

    String messageOf(BucketAccess access) {
        return ProvisionerReport.of(require(access))
                .map(report -> report.phase().text() + ": " + report.summary())
                .orElse("");
    }

    Bucket awaitFilled(Bucket bucket) {
        await("the bucket of " + name(bucket))
                .until(() -> require(bucket).getSpec().protocol().provisioned());
        return require(bucket);
    }

    void awaitReason(Bucket bucket, String reason) {
        await(name(bucket) + " to report " + reason)
                .until(() -> reasonOf(bucket).equals(reason));
    }

    void awaitPhase(Bucket bucket, BucketPhase phase) {
        await(name(bucket) + " to be " + phase).until(() -> require(bucket).phase() == phase);
    }

    Secret awaitGranted(BucketAccess access) {
        await("access " + name(access)).until(() -> secretOf(access) != null);
        return Optional.ofNullable(secretOf(access)).orElseThrow();
    }

    void awaitMessage(BucketAccess access, String beginning) {
        await(name(access) + " to say " + beginning)
                .until(() -> messageOf(access).startsWith(beginning));
    }

    /** Sets the bindings, as the controller does after access was granted. */
    void bind(Bucket bucket, String... bindings) {
        admin().resource(require(bucket)).edit(current -> {
            current.setSpec(Specs.with(current.getSpec(), "bindings", List.of(bindings)));
            return current;
        });
    }

    void delete(Bucket bucket) {
        admin().resource(bucket).delete();
    }

    void delete(BucketAccess access) {
        admin().resource(access).delete();
    }

    void awaitRevoked(BucketAccess access) {
        await(name(access) + " to be released").until(() -> {
            BucketAccess now = get(access);
            return now == null || !Metadata.hasFinalizer(now, CosiNames.PROVISIONER_FINALIZER);
        });
        assertThat(secretOf(access)).isNull();
    }

    List<Event> events(HasMetadata object) {
        return admin().events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> object.getMetadata()
                        .getUid()
                        .equals(event.getRegarding().getUid()))
                .toList();
    }

    List<String> reasons(HasMetadata object) {
        return events(object).stream().map(Event::getReason).toList();
    }

    static ConditionFactory await(String what) {
        return Eventually.await(what);
    }

    /** Waits until both controllers have seen everything that was written before, and sent its events. */
    void awaitSettled() {
        Bucket bucket = bucket(Sentinel.newName(), spec -> Specs.without(spec, "bucketRequest"));
        BucketAccess access = access(Sentinel.newName(), bucket);
        admin().resource(access).edit(fresh -> {
            fresh.getMetadata().setFinalizers(List.of(CosiNames.FINALIZER));
            return fresh;
        });
        await("the sentinels")
                .until(() -> reasons(bucket).contains("FailedCreateBucket")
                        && Metadata.hasFinalizer(require(access), CosiNames.PROVISIONER_FINALIZER));
        force(access);
        force(bucket);
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        driver.close();
        // No controller is left that removes the finalizers.
        ours().forEach(this::force);
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<HasMetadata> ours() {
        Map<String, String> label = Map.of(CosiNames.PROVISIONER_LABEL, provisioner.label());
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(admin().resources(Bucket.class).withLabels(label).list().getItems());
        all.addAll(
                admin().resources(BucketAccess.class).withLabels(label).list().getItems());
        all.addAll(admin().secrets()
                .inNamespace(provisioner.namespace())
                .withLabels(label)
                .list()
                .getItems());
        return all;
    }

    private void force(HasMetadata object) {
        try {
            admin().resource(object).edit(current -> {
                current.getMetadata().setFinalizers(List.of());
                return current;
            });
            admin().resource(object).delete();
        } catch (KubernetesClientException e) {
            // Deleted or changed by somebody else.
            assertThat(e.getCode()).isIn(404, 409);
        }
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}
