package io.bucketwright.volumes.podclaims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.releaser.ReleaserNames;
import io.bucketwright.volumes.releaser.VolumeReleaser;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** One test's workbench: pods, claims and volumes of its own, and controllers with an id of its own. */
public final class VolumeBench implements AutoCloseable {

    private final TestCluster cluster;
    private final String id;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Deque<HasMetadata> made = new ArrayDeque<>();

    public VolumeBench(TestCluster cluster) {
        this(cluster, "");
    }

    /** One of several in one test: with a suffix it has an id and a namespace of its own. */
    public VolumeBench(TestCluster cluster, String suffix) {
        this.cluster = cluster;
        this.id = cluster.namespace() + suffix;
        if (!suffix.isEmpty()) {
            create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(id)
                    .endMetadata()
                    .build());
        }
    }

    public KubernetesClient admin() {
        return cluster.admin();
    }

    public String namespace() {
        return id;
    }

    public String id() {
        return id;
    }

    /** A user with the rights of these roles of deploy/volumes-rbac.yaml, and no others. */
    public static ApiUser deployed(TestCluster cluster, String name, String... roles) {
        List<PolicyRule> rules = new ArrayList<>();
        try (FileInputStream file = new FileInputStream("../deploy/volumes-rbac.yaml")) {
            for (HasMetadata item : cluster.admin().load(file).items()) {
                if (!Arrays.asList(roles).contains(item.getMetadata().getName())) {
                    continue;
                }
                switch (item) {
                    case ClusterRole role -> rules.addAll(role.getRules());
                    case Role role -> rules.addAll(role.getRules());
                    default -> {}
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(rules).as("rules of %s", List.of(roles)).isNotEmpty();
        return cluster.user(name, rules);
    }

    public static ApiUser podClaimsUser(TestCluster cluster) {
        return deployed(cluster, "pod-claims", "bucketwright-pod-claims", "bucketwright-volume-leases");
    }

    public static ApiUser releaserUser(TestCluster cluster) {
        return deployed(
                cluster,
                "releaser",
                "bucketwright-releaser",
                "bucketwright-releaser-events",
                "bucketwright-volume-leases");
    }

    public ControllerProcess provisioner(ApiUser user) {
        return provisioner(user, builder -> {});
    }

    public ControllerProcess provisioner(ApiUser user, Consumer<PodClaimProvisioner.Builder> more) {
        PodClaimProvisioner.Builder builder = PodClaimProvisioner.builder()
                .client(user.config())
                .controllerId(id)
                .namespace(namespace());
        more.accept(builder);
        ControllerProcess made = builder.build().start();
        open.push(made);
        interruptibly(made::awaitReady);
        return made;
    }

    public ControllerProcess releaser(ApiUser user) {
        return releaser(user, builder -> {});
    }

    public ControllerProcess releaser(ApiUser user, Consumer<VolumeReleaser.Builder> more) {
        VolumeReleaser.Builder builder =
                VolumeReleaser.builder().client(user.config()).controllerId(id);
        more.accept(builder);
        ControllerProcess made = builder.build().start();
        open.push(made);
        interruptibly(made::awaitReady);
        return made;
    }

    /** A class without a provisioner of its own: volumes are made by hand. */
    public String storageClass(String suffix, Map<String, String> annotations) {
        String name = id + "-" + suffix;
        create(new StorageClassBuilder()
                .withNewMetadata()
                .withName(name)
                .withAnnotations(annotations)
                .endMetadata()
                .withProvisioner("kubernetes.io/no-provisioner")
                .withReclaimPolicy("Retain")
                .build());
        return name;
    }

    public String volume(String suffix, String storageClass) {
        return volume(suffix, storageClass, volume -> {});
    }

    /** A volume to be retained, for pods on a node that is not there: the cluster of another test may have a node. */
    public String volume(String suffix, String storageClass, Consumer<PersistentVolume> more) {
        String name = id + "-" + suffix;
        PersistentVolume volume = new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withStorageClassName(storageClass)
                .withCapacity(Map.of("storage", new Quantity("1Gi")))
                .withAccessModes("ReadWriteOnce")
                .withPersistentVolumeReclaimPolicy("Retain")
                .withNewHostPath("/tmp/bucketwright-nothing", "")
                .withNewNodeAffinity()
                .withNewRequired()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("kubernetes.io/hostname")
                .withOperator("In")
                .withValues("nowhere")
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequired()
                .endNodeAffinity()
                .endSpec()
                .build();
        more.accept(volume);
        create(volume);
        return name;
    }

    public static String template(String storageClass) {
        return """
                apiVersion: v1
                kind: PersistentVolumeClaim
                spec:
                  storageClassName: %s
                  resources:
                    requests:
                      storage: 1Gi
                  accessModes:
                    - ReadWriteOnce
                """.formatted(storageClass);
    }

    /** A pod that asks for a claim of the same name as its volume {@code data}, and that no node takes. */
    public Pod pod(String name, String claim, String template) {
        return create(waiting(name, Map.of("data", claim), Map.of("data", template)));
    }

    public Pod waiting(String name, Map<String, String> claims, Map<String, String> templates) {
        Map<String, String> annotations = new HashMap<>();
        templates.forEach((volume, template) -> {
            annotations.put(PodClaimAnnotations.PREFIX + volume + PodClaimAnnotations.ENABLED, "true");
            annotations.put(PodClaimAnnotations.PREFIX + volume + PodClaimAnnotations.TEMPLATE, template);
        });
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName(name)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withNodeSelector(Map.of("bucketwright.io/none", "true"))
                .withTerminationGracePeriodSeconds(0L)
                .addNewContainer()
                .withName("main")
                .withImage("bucketwright.local/none")
                .endContainer()
                .endSpec();
        claims.forEach((volume, claim) -> pod.editSpec()
                .addNewVolume()
                .withName(volume)
                .withNewPersistentVolumeClaim(claim, false)
                .endVolume()
                .endSpec());
        return pod.build();
    }

    /** Created; a young namespace may have no service account for pods yet. */
    public <T extends HasMetadata> T create(T object) {
        List<T> created = new ArrayList<>();
        Awaitility.await("to create " + object.getMetadata().getName())
                .atMost(Eventually.TIMEOUT)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    try {
                        created.add(admin().resource(object).create());
                        return true;
                    } catch (KubernetesClientException e) {
                        if (e.getCode() == 403 && String.valueOf(e.getMessage()).contains("serviceaccount")) {
                            return false;
                        }
                        throw e;
                    }
                });
        made.push(created.getFirst());
        return created.getFirst();
    }

    public @Nullable PersistentVolumeClaim claim(String name) {
        return admin().persistentVolumeClaims()
                .inNamespace(namespace())
                .withName(name)
                .get();
    }

    public PersistentVolumeClaim awaitClaim(String name) {
        await("claim " + name).until(() -> claim(name) != null);
        return Optional.ofNullable(claim(name)).orElseThrow();
    }

    public PersistentVolumeClaim awaitBound(String name) {
        await("claim " + name + " to be bound")
                .until(() -> Optional.ofNullable(claim(name))
                        .filter(it -> "Bound".equals(it.getStatus().getPhase()))
                        .isPresent());
        return awaitClaim(name);
    }

    public PersistentVolume volume(String name) {
        return admin().persistentVolumes().withName(name).require();
    }

    public PersistentVolume awaitPhase(String volume, String phase) {
        await("volume " + volume + " to be " + phase)
                .until(() -> phase.equals(volume(volume).getStatus().getPhase()));
        return volume(volume);
    }

    public String claimUid(String volume) {
        return Optional.ofNullable(volume(volume).getSpec().getClaimRef())
                .map(ObjectReference::getUid)
                .orElse("");
    }

    public void deletePod(String name) {
        admin().pods()
                .inNamespace(namespace())
                .withName(name)
                .withGracePeriod(0)
                .delete();
    }

    /** Events about this object, oldest first; those of objects without a namespace are in {@code default}. */
    public List<Event> events(String kind, String name) {
        return Stream.of(namespace(), "default")
                .flatMap(where -> admin().events().v1().events().inNamespace(where).list().getItems().stream())
                .filter(event -> event.getRegarding().getKind().equals(kind)
                        && event.getRegarding().getName().equals(name))
                .filter(event -> List.of(PodClaimProvisioner.REPORTER, "reclaimable-pv-releaser")
                        .contains(event.getReportingController()))
                .toList();
    }

    public List<String> reasons(String kind, String name) {
        return events(kind, name).stream().map(Event::getReason).toList();
    }

    public String awaitEvent(String kind, String name, String reason) {
        await("event " + reason + " of " + name).until(() -> reasons(kind, name).contains(reason));
        return events(kind, name).stream()
                .filter(event -> event.getReason().equals(reason))
                .findFirst()
                .orElseThrow()
                .getNote();
    }

    /** Waits until the provisioner has seen all changes of pods: until it has reported an invalid template created now. */
    public void awaitPodsSettled() {
        String sentinel = Sentinel.newName();
        create(waiting(sentinel, Map.of("data", sentinel), Map.of("data", "kind: Nonsense")));
        awaitEvent("Pod", sentinel, "ErrInvalidPVC");
        deletePod(sentinel);
    }

    /** Waits until the releaser has seen all changes of volumes: until it has reported an invalid mode of a class. */
    public void awaitVolumesSettled() {
        String sentinel = Sentinel.newName();
        String storageClass =
                storageClass(sentinel, Map.of(ReleaserNames.CONTROLLER_ID, id, ReleaserNames.MODE, "no-such-mode"));
        String volume = volume(
                sentinel,
                storageClass,
                object -> object.getSpec()
                        .setClaimRef(new ObjectReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("PersistentVolumeClaim")
                                .withNamespace(namespace())
                                .withName(sentinel)
                                .withUid("00000000-0000-0000-0000-000000000000")
                                .build()));
        awaitEvent("PersistentVolume", volume, "ErrReleasePV");
        admin().persistentVolumes().withName(volume).delete();
    }

    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Eventually.TIMEOUT).pollInterval(Duration.ofMillis(100));
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        made.forEach(object -> admin().resource(object).withGracePeriod(0).delete());
    }

    private interface Waiting {
        void until() throws InterruptedException;
    }

    private static void interruptibly(Waiting waiting) {
        try {
            waiting.until();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
