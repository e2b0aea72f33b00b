package io.bucketwright.volumes.podclaims;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.ControllerFixture;
import io.bucketwright.volumes.releaser.ReleaserNames;
import io.bucketwright.volumes.releaser.VolumeReleaser;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The pods, claims and volumes of one test, and controllers with an id of its own. */
public final class VolumeFixture extends ControllerFixture {

    private static final String NO_UID = "00000000-0000-0000-0000-000000000000";

    private final String id;

    public VolumeFixture(TestCluster cluster) {
        this(cluster, "");
    }

    /** One of several in one test: with a suffix it has an id and a namespace of its own. */
    public VolumeFixture(TestCluster cluster, String suffix) {
        super(cluster);
        this.id = cluster.namespace() + suffix;
        if (!suffix.isEmpty()) {
            createNamespace(id);
        }
    }

    @Override
    public String namespace() {
        return id;
    }

    /** The controller id, the same as the namespace. */
    public String id() {
        return id;
    }

    /** A user with the permissions of these roles of deploy/volumes-rbac.yaml, and no others. */
    public static ApiUser deployed(TestCluster cluster, String name, String... roles) {
        return user(cluster, name, "volumes-rbac.yaml", List.of(roles)::contains);
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
        return start(
                ClientOptions.config(PodClaimProvisioner.builder(), user.config())
                        .controllerId(id)
                        .namespace(namespace()),
                more);
    }

    public ControllerProcess releaser(ApiUser user) {
        return releaser(user, builder -> {});
    }

    public ControllerProcess releaser(ApiUser user, Consumer<VolumeReleaser.Builder> more) {
        return start(
                ClientOptions.config(VolumeReleaser.builder(), user.config()).controllerId(id), more);
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

    /** A volume to be retained, for pods on a node that does not exist: the cluster of another test may have a node. */
    public String volume(String suffix, String storageClass, Consumer<PersistentVolume> more) {
        String name = id + "-" + suffix;
        PersistentVolume volume = Serialization.unmarshal("""
                metadata: {name: %s}
                spec:
                  storageClassName: %s
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  persistentVolumeReclaimPolicy: Retain
                  hostPath: {path: /tmp/bucketwright-nothing}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [nowhere]}]
                """.formatted(name, storageClass), PersistentVolume.class);
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

    /** A pod that requests a claim for its volume {@code data}, and that no node can run. */
    public Pod pod(String name, String claim, String template) {
        return create(waiting(name, Map.of("data", claim), Map.of("data", template)));
    }

    public Pod waiting(String name, Map<String, String> claims, Map<String, String> templates) {
        return waiting(namespace(), name, claims, templates);
    }

    static Pod waiting(String namespace, String name, Map<String, String> claims, Map<String, String> templates) {
        Map<String, String> annotations = new HashMap<>();
        templates.forEach((volume, template) -> {
            annotations.put(PodClaimAnnotations.PREFIX + volume + PodClaimAnnotations.ENABLED, "true");
            annotations.put(PodClaimAnnotations.PREFIX + volume + PodClaimAnnotations.TEMPLATE, template);
        });
        Pod pod = Serialization.unmarshal("""
                metadata: {namespace: %s, name: %s}
                spec:
                  nodeSelector: {bucketwright.io/none: "true"}
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: bucketwright.local/none}]
                """.formatted(namespace, name), Pod.class);
        pod.getMetadata().setAnnotations(annotations);
        pod.getSpec()
                .setVolumes(claims.entrySet().stream()
                        .map(entry -> new VolumeBuilder()
                                .withName(entry.getKey())
                                .withNewPersistentVolumeClaim(entry.getValue(), false)
                                .build())
                        .toList());
        return pod;
    }

    public void createNamespace(String name) {
        create(Serialization.unmarshal("metadata: {name: %s}".formatted(name), Namespace.class));
    }

    /** A claim that is not created yet, of 1Gi. */
    public PersistentVolumeClaim newClaim(String name, String storageClass) {
        return newClaim(name, storageClass, "ReadWriteOnce", "1Gi");
    }

    /** Binds the volume to a claim of that name and deletes the claim. */
    public void bindAndRelease(String volume, String name, String storageClass) {
        PersistentVolumeClaim claim = newClaim(name, storageClass);
        claim.getSpec().setVolumeName(volume);
        claim.getSpec().setVolumeMode(volume(volume).getSpec().getVolumeMode());
        PersistentVolumeClaim created = create(claim);
        awaitBound(name);
        admin().resource(created).delete();
        await("the deletion of the claim of " + volume)
                .until(() -> !claimUid(volume).equals(created.getMetadata().getUid())
                        || List.of("Released", "Failed")
                                .contains(volume(volume).getStatus().getPhase()));
    }

    public PodResource pod(String name) {
        return admin().pods().inNamespace(namespace()).withName(name);
    }

    /** Changes a pod as it is on the server now. */
    public void editPod(String name, Consumer<Pod> change) {
        cluster.edit(pod(name).require(), change);
    }

    public void setPodPhase(Pod pod, String phase) {
        cluster.editStatus(pod, current -> current.getStatus().setPhase(phase));
    }

    public @Nullable PersistentVolumeClaim claim(String name) {
        return get(name).orElse(null);
    }

    public PersistentVolumeClaim awaitClaim(String name) {
        await("claim " + name).until(() -> get(name).isPresent());
        return get(name).orElseThrow();
    }

    public PersistentVolumeClaim awaitBound(String name) {
        await("claim " + name + " to be bound").until(() -> isBound(name));
        return awaitClaim(name);
    }

    public PersistentVolume volume(String name) {
        return admin().persistentVolumes().withName(name).require();
    }

    public PersistentVolume awaitPhase(String volume, String phase) {
        await("volume " + volume + " to be " + phase).untilAsserted(() -> {
            PersistentVolume found = volume(volume);
            assertThat(found.getStatus().getPhase())
                    .as(
                            "phase of %s, while the claims are %s",
                            found,
                            admin().persistentVolumeClaims()
                                    .inNamespace(namespace())
                                    .list()
                                    .getItems())
                    .isEqualTo(phase);
        });
        return volume(volume);
    }

    public String claimUid(String volume) {
        return Optional.ofNullable(volume(volume).getSpec().getClaimRef())
                .map(ObjectReference::getUid)
                .orElse("");
    }

    public void deletePod(String name) {
        pod(name).withGracePeriod(0).delete();
    }

    /** Events about this object, oldest first. */
    public List<Event> events(String kind, String name) {
        return events(name, "regarding.kind", kind)
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
                        .setClaimRef(new ObjectReference(
                                "v1", null, "PersistentVolumeClaim", sentinel, namespace(), null, NO_UID)));
        awaitEvent("PersistentVolume", volume, "ErrReleasePV");
        admin().persistentVolumes().withName(volume).delete();
    }
}
