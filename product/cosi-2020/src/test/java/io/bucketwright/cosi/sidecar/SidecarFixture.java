package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** The fixture of one test: its own provisioner, a scripted driver, and objects as the controller creates them. */
public final class SidecarFixture implements AutoCloseable {

    final ScriptedDriver driver;
    final Provisioner provisioner;
    private final TestCluster cluster;
    private final ApiUser user;
    private final StartedProcesses processes = new StartedProcesses();

    SidecarFixture(TestCluster cluster, ApiUser user, String driverName) {
        this.cluster = cluster;
        this.user = user;
        this.provisioner = new Provisioner(cluster.namespace(), driverName);
        this.driver = new ScriptedDriver(driverName);
        cluster.install(Crds.cosi());
    }

    /** A user with the permissions of the deployed sidecar in the namespace of the test. */
    public static ApiUser deployed(TestCluster cluster, String name) {
        ApiUser user = cluster.user(name, List.of());
        String suffix = "-" + cluster.namespace();
        try {
            String yaml = Files.readString(Path.of("../../deploy/cosi-sidecar-rbac.yaml"))
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

    ControllerProcess sidecar() {
        return sidecar(user, _ -> {});
    }

    ControllerProcess sidecar(ApiUser as, Consumer<CosiSidecar.Builder> more) {
        CosiSidecar.Builder builder = ClientOptions.config(CosiSidecar.builder(), as.config())
                .provisioner(provisioner.toString())
                .driver(driver.endpoint());
        more.accept(builder);
        return processes.start(builder.build());
    }

    void stopSidecars() {
        processes.close();
    }

    Bucket bucket(String name) {
        return bucket(name, UnaryOperator.identity());
    }

    /** A Bucket as the controller creates it for a BucketRequest. */
    Bucket bucket(String name, UnaryOperator<BucketSpec> more) {
        Bucket bucket = SidecarSamples.bucket(spec -> more.apply(Specs.with(
                spec,
                "provisioner",
                provisioner.toString(),
                "anonymousAccessMode",
                "private",
                "protocol",
                BucketProtocol.named(Protocol.S3, "b-" + UUID.randomUUID()),
                "bucketRequest",
                new BucketRequestRef(cluster.namespace(), name, "some-uid"))));
        return create(name, bucket);
    }

    /** A Bucket that exists in the store. */
    Bucket createdBucket() {
        return awaitCreated(bucket("photos"));
    }

    /** A BucketAccess as the controller creates it for a BucketAccessRequest. */
    BucketAccess access(String name, Bucket bucket) {
        return access(name, bucket, Map.of());
    }

    /** A BucketAccess with parameters of its class. */
    BucketAccess access(String name, Bucket bucket, Map<String, String> parameters) {
        return access(name, bucket, spec -> Specs.with(spec, "parameters", parameters));
    }

    BucketAccess access(String name, Bucket bucket, UnaryOperator<BucketAccessSpec> more) {
        BucketAccess access = SidecarSamples.access(object -> object.setSpec(Specs.with(
                more.apply(object.getSpec()),
                "bucketAccessRequestNamespace",
                cluster.namespace(),
                "bucketAccessRequestUid",
                UUID.randomUUID().toString(),
                "bucketName",
                bucket.getMetadata().getName(),
                "bucketUid",
                bucket.getMetadata().getUid(),
                "provisioner",
                provisioner.toString())));
        return create(name, access);
    }

    /** A BucketAccess with credentials. */
    BucketAccess grantedAccess(Bucket bucket) {
        BucketAccess access = access("photos", bucket);
        awaitGranted(access);
        return access;
    }

    private <T extends HasMetadata> T create(String name, T sample) {
        sample.setMetadata(new ObjectMetaBuilder()
                .withName(name + "-" + cluster.namespace() + "-" + provisioner.name())
                .withFinalizers(sample.getMetadata().getFinalizers())
                .withLabels(label())
                .build());
        return cluster.admin().resource(sample).create();
    }

    /** Replaces the object by a copy of it with another uid and without status, as a backup does. */
    <T extends HasMetadata> T restore(T object) {
        T exported = require(object);
        cluster.forceDelete(exported);
        exported.setMetadata(new ObjectMetaBuilder()
                .withName(exported.getMetadata().getName())
                .withFinalizers(object.getMetadata().getFinalizers())
                .withLabels(label())
                .build());
        return cluster.admin().resource(exported).create();
    }

    private Map<String, String> label() {
        return Map.of(CosiNames.PROVISIONER_LABEL, provisioner.label());
    }

    Secret secret(String namespace, String name, Map<String, String> labels, String token) {
        return cluster.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .withStringData(Map.of("token", token))
                        .build())
                .create();
    }

    /** The body of a response of the sidecar's status server, after its status code. */
    static String http(ControllerProcess sidecar, String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + sidecar.port() + path);
            HttpResponse<String> response =
                    http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        }
    }

    /** The object as it is on the API server now. */
    <T extends HasMetadata> T require(T object) {
        return cluster.admin().resource(object).require();
    }

    @Nullable
    Secret secretOf(BucketAccess access) {
        return cluster.admin()
                .secrets()
                .inNamespace(provisioner.namespace())
                .withName(access.account())
                .get();
    }

    String keyOf(BucketAccess access) {
        return Optional.ofNullable(secretOf(access))
                .map(secret -> TestCluster.decoded(secret).getOrDefault("AWS_SECRET_ACCESS_KEY", ""))
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

    Bucket awaitCreated(Bucket bucket) {
        await("the bucket of " + name(bucket)).until(() -> require(bucket).provisioned());
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
        return await("access " + name(access))
                .until(() -> Optional.ofNullable(secretOf(access)), Optional::isPresent)
                .orElseThrow();
    }

    void awaitMessage(BucketAccess access, String beginning) {
        await(name(access) + " to report " + beginning)
                .until(() -> messageOf(access).startsWith(beginning));
    }

    /** Sets the bindings, as the controller does after access was granted. */
    void bind(Bucket bucket, String... bindings) {
        cluster.edit(
                require(bucket),
                current -> current.setSpec(Specs.with(current.getSpec(), "bindings", List.of(bindings))));
    }

    /** Sets the annotations of users, which the sidecar never writes. */
    void annotate(HasMetadata object, String key, String value) {
        cluster.edit(require(object), current -> current.getMetadata().setAnnotations(Map.of(key, value)));
    }

    void delete(HasMetadata object) {
        cluster.admin().resource(object).delete();
    }

    /** Deletes a Bucket and waits until the sidecar is done with it. */
    void deleteBucket(Bucket bucket) {
        delete(bucket);
        awaitPhase(bucket, BucketPhase.DELETED);
    }

    /** Deletes a BucketAccess and waits until the sidecar is done with it. */
    void revoke(BucketAccess access) {
        delete(access);
        awaitRevoked(access);
    }

    void awaitRevoked(BucketAccess access) {
        await(name(access) + " to be released")
                .until(() -> Optional.ofNullable(
                                cluster.admin().resource(access).get())
                        .filter(now -> Metadata.hasFinalizer(now, CosiNames.PROVISIONER_FINALIZER))
                        .isEmpty());
        assertThat(secretOf(access)).isNull();
    }

    List<Event> events(HasMetadata object) {
        return cluster.admin().events().v1().events().inNamespace("default").list().getItems().stream()
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
        BucketProtocol unnamed = new BucketProtocol("s3", null, new S3Bucket("", "", "", ""), null);
        Bucket bucket = bucket(
                Sentinel.newName(), spec -> Specs.with(Specs.without(spec, "bucketRequest"), "protocol", unnamed));
        BucketAccess access = access(Sentinel.newName(), bucket);
        cluster.edit(access, fresh -> fresh.getMetadata().setFinalizers(List.of(CosiNames.FINALIZER)));
        await("the sentinels")
                .until(() -> reasons(bucket).contains("FailedCreateBucket")
                        && Metadata.hasFinalizer(require(access), CosiNames.PROVISIONER_FINALIZER));
        deleteUnseen(access);
        deleteUnseen(bucket);
    }

    /** The sidecar watches objects with its label only: it neither adds its finalizer again nor calls the driver. */
    private void deleteUnseen(HasMetadata sentinel) {
        cluster.edit(sentinel, current -> {
            current.getMetadata().setLabels(Map.of());
            current.getMetadata().setFinalizers(List.of());
        });
        cluster.admin().resource(sentinel).delete();
    }

    @Override
    public void close() {
        processes.close();
        driver.close();
        // No controller is left that removes the finalizers.
        for (Class<? extends HasMetadata> type : List.of(Bucket.class, BucketAccess.class, Secret.class)) {
            cluster.admin()
                    .resources(type)
                    .inAnyNamespace()
                    .withLabels(label())
                    .list()
                    .getItems()
                    .forEach(cluster::forceDelete);
        }
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}
