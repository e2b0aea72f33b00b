package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.sidecar.cache.ProvisionerSecrets;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

/** Which Secrets reach a driver, and that nothing secret is shown anywhere. */
@OnCluster
@ResourceLock(value = "COSI objects of all namespaces", mode = ResourceAccessMode.READ)
class AccessSecretIT {

    private static final String NAME = "cosi.io/provisioner-secret-name";
    private static final String NAMESPACE = "cosi.io/provisioner-secret-namespace";

    @Test
    void theSecretOfAClassGoesWithEveryCallAndCostsNoRead(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            secret(cluster, cluster.namespace(), "admin", true, "first");
            bench.sidecar(user);
            Bucket bucket = bench.awaitFilled(
                    bench.bucket("photos", spec -> Specs.with(spec, "parameters", Map.of(NAME, "admin"))));
            BucketAccess access = bench.access("photos", bucket);
            bench.awaitGranted(access);
            bench.delete(access);
            bench.awaitRevoked(access);
            bench.delete(bucket);
            bench.awaitPhase(bucket, BucketPhase.DELETED);
            Map<String, String> sent = Map.of("token", "first");
            assertThat(bench.driver()
                            .asked(CreateBucketRequest.class)
                            .getFirst()
                            .getSecretsMap())
                    .isEqualTo(sent);
            assertThat(bench.driver()
                            .asked(GrantBucketAccessRequest.class)
                            .getFirst()
                            .getSecretsMap())
                    .isEqualTo(sent);
            assertThat(bench.driver()
                            .asked(RevokeBucketAccessRequest.class)
                            .getFirst()
                            .getSecretsMap())
                    .isEqualTo(sent);
            assertThat(bench.driver()
                            .asked(DeleteBucketRequest.class)
                            .getFirst()
                            .getSecretsMap())
                    .isEqualTo(sent);
            assertThat(cluster.requests(user).reads()).isZero();
        }
    }

    @Test
    void aSecretWithoutItsLabelIsNeverSentAndLabellingItIsEnough(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            Secret secret = secret(cluster, cluster.namespace(), "admin", false, "first");
            bench.sidecar(user);
            Bucket bucket = bench.bucket("photos", spec -> Specs.with(spec, "parameters", Map.of(NAME, "admin")));
            bench.awaitReason(bucket, "InvalidProvisionerSecret");
            assertThat(bench.driver().requests).isEmpty();
            cluster.admin().resource(secret).edit(it -> {
                it.getMetadata().setLabels(Map.of(ProvisionerSecrets.LABEL, "true"));
                return it;
            });
            bench.awaitFilled(bucket);
        }
    }

    @Test
    void anotherNamespaceIsReadOnlyIfTheSidecarWasToldAndTemplatesAreFilledFromTheRequest(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        // Binding a Role with list and watch in that namespace is the administrator's part.
        ApiUser trusted = cluster.user("trusted");
        String tenant = cluster.namespace() + "-tenant";
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(tenant)
                        .endMetadata()
                        .build())
                .create();
        try (SidecarBench bench = new SidecarBench(cluster)) {
            Bucket bucket = bench.bucket(
                    "photos",
                    spec -> Specs.with(
                            spec,
                            "bucketRequest",
                            new BucketRequestRef(tenant, "photos", "some-uid"),
                            "parameters",
                            Map.of(NAME, "${bucket.name}", NAMESPACE, "${bucket.namespace}")));
            secret(cluster, tenant, bucket.getMetadata().getName(), true, "theirs");
            try (ControllerProcess _ = bench.sidecar(user)) {
                bench.awaitReason(bucket, "InvalidProvisionerSecret");
                assertThat(bench.require(bucket).status().message()).contains("does not watch");
                assertThat(bench.driver().requests).isEmpty();
            }
            bench.sidecar(trusted, builder -> builder.secretNamespaces(Set.of(tenant)));
            bench.awaitFilled(bucket);
            assertThat(bench.driver()
                            .asked(CreateBucketRequest.class)
                            .getFirst()
                            .getSecretsMap())
                    .isEqualTo(Map.of("token", "theirs"));
        } finally {
            cluster.admin().namespaces().withName(tenant).delete();
        }
    }

    @Test
    void aRefusedCredentialIsTriedAgainAsSoonAsTheSecretChanges(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            Secret secret = secret(cluster, cluster.namespace(), "admin", true, "expired");
            bench.driver().on(CreateBucketRequest.class, request -> {
                if (((CreateBucketRequest) request).getSecretsMap().containsValue("expired")) {
                    throw CosiError.CREATE_INVALID_ARGUMENT.exception("This will not do.");
                }
                return java.util.Optional.empty();
            });
            bench.sidecar(user);
            Bucket bucket = bench.bucket("photos", spec -> Specs.with(spec, "parameters", Map.of(NAME, "admin")));
            bench.awaitReason(bucket, "InvalidArgument");
            cluster.admin()
                    .resource(secret)
                    .edit(it -> new SecretBuilder(it)
                            .withStringData(Map.of("token", "fresh"))
                            .build());
            bench.awaitFilled(bucket);
        }
    }

    @Test
    void nothingSecretIsInAnyLogEventStatusOrAnnotationWhateverADriverSays(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        Logger root = (Logger) LoggerFactory.getLogger("io.bucketwright");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Level before = root.getLevel();
        log.start();
        root.addAppender(log);
        root.setLevel(Level.TRACE);
        try (SidecarBench bench = new SidecarBench(cluster)) {
            secret(cluster, cluster.namespace(), "admin", true, "hunter2-of-the-administrator");
            bench.driver()
                    .failing(
                            CreateBucketRequest.class,
                            CosiError.CREATE_INTERNAL_ERROR.exception("hunter2-of-the-administrator is wrong"));
            bench.sidecar(user);
            Bucket bucket = bench.bucket("photos", spec -> Specs.with(spec, "parameters", Map.of(NAME, "admin")));
            bench.awaitReason(bucket, "InternalError");
            bench.driver().behaving();
            bench.awaitFilled(bucket);
            BucketAccess access = bench.access("photos", bucket);
            bench.awaitGranted(access);
            String granted = bench.keyOf(access);
            SidecarBench.await("events").until(() -> !bench.events(access).isEmpty());
            String shown = new ArrayList<>(log.list)
                            .stream()
                                    .map(it -> it.getFormattedMessage() + " "
                                            + (it.getThrowableProxy() == null
                                                    ? ""
                                                    : it.getThrowableProxy().getMessage()))
                                    .collect(Collectors.joining("\n"))
                    + Serialization.asJson(bench.events(bucket))
                    + Serialization.asJson(bench.events(access))
                    + Serialization.asJson(bench.require(bucket))
                    + Serialization.asJson(bench.require(access));
            assertThat(shown).contains("***").doesNotContain("hunter2").doesNotContain(granted);
        } finally {
            root.setLevel(before);
            root.detachAppender(log);
        }
    }

    private static Secret secret(TestCluster cluster, String namespace, String name, boolean labelled, String token) {
        return cluster.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .withLabels(labelled ? Map.of(ProvisionerSecrets.LABEL, "true") : Map.of())
                        .endMetadata()
                        .withStringData(Map.of("token", token))
                        .build())
                .create();
    }
}
