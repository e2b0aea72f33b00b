package io.bucketwright.volumes.directories;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.ControllerFixture;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects of one test: a root, a provisioner name, classes of that provisioner, and claims. */
public final class DirectoryFixture extends ControllerFixture {

    private final Path root;
    private final String provisioner;
    private @Nullable ApiUser user;

    public DirectoryFixture(TestCluster cluster, Path root) {
        this(cluster, root, "");
    }

    /** One of several fixtures in the same namespace; the suffix makes the provisioner name unique. */
    public DirectoryFixture(TestCluster cluster, Path root, String suffix) {
        super(cluster);
        this.root = root;
        this.provisioner = cluster.namespace() + ".test/directory" + suffix;
    }

    @Override
    public String namespace() {
        return cluster.namespace();
    }

    public String provisionerName() {
        return provisioner;
    }

    /** A response of the process's status server. */
    static HttpResponse<String> get(ControllerProcess process, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + process.port() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    public Path root() {
        return root;
    }

    /** A user with the permissions of deploy/directories-rbac.yaml. */
    public static ApiUser account(TestCluster cluster, String name) {
        return user(cluster, name, "directories-rbac.yaml", _ -> true);
    }

    /** A user with the permissions that deploy/directories-rbac.yaml grants. */
    public ApiUser user() {
        if (user == null) {
            user = account(cluster, "directories");
        }
        return user;
    }

    public ControllerProcess provisioner() {
        return provisioner(user());
    }

    public ControllerProcess provisioner(Consumer<DirectoryProvisioner.Builder> more) {
        return provisioner(user(), more);
    }

    public ControllerProcess provisioner(ApiUser account) {
        return provisioner(account, builder -> {});
    }

    public ControllerProcess provisioner(ApiUser account, Consumer<DirectoryProvisioner.Builder> more) {
        return start(
                ClientOptions.config(DirectoryProvisioner.builder(), account.config())
                        .provisioner(provisioner)
                        .root(root),
                more);
    }

    /** Creates a class with these parameters and starts a provisioner; returns the name of the class. */
    public String start(Map<String, String> parameters) {
        String name = storageClass("new", parameters);
        provisioner();
        return name;
    }

    public String storageClass(String suffix, Map<String, String> parameters) {
        return storageClass(suffix, parameters, builder -> {});
    }

    /** Creates a class of this test's provisioner; the default owner is 1000:1000. An empty value removes a parameter. */
    public String storageClass(String suffix, Map<String, String> parameters, Consumer<StorageClassBuilder> more) {
        Map<String, String> all = new HashMap<>(Map.of("defaultOwnerAssetUid", "1000", "defaultOwnerAssetGid", "1000"));
        all.putAll(parameters);
        all.values().removeIf(String::isEmpty);
        String name = cluster.namespace() + "-" + suffix;
        StorageClassBuilder builder = new StorageClassBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withProvisioner(provisioner)
                .withParameters(all);
        more.accept(builder);
        create(builder.build());
        return name;
    }

    public PersistentVolumeClaim claim(String name, String storageClass) {
        return claim(name, storageClass, builder -> {});
    }

    public PersistentVolumeClaim claim(String name, String storageClass, Map<String, String> annotations) {
        return claim(name, storageClass, claim -> claim.getMetadata().setAnnotations(annotations));
    }

    public PersistentVolumeClaim claim(String name, String storageClass, Consumer<PersistentVolumeClaim> more) {
        PersistentVolumeClaim claim = newClaim(name, storageClass, "ReadWriteMany", "10Mi");
        more.accept(claim);
        return create(claim);
    }

    public Optional<PersistentVolume> volume(String name) {
        return Optional.ofNullable(admin().persistentVolumes().withName(name).get());
    }

    /** The name of a claim's volume in a class with naming: claim. */
    public String volumeName(String claim) {
        return namespace() + "-" + claim + "-vol";
    }

    public Path directory(String claim) {
        return root.resolve(volumeName(claim));
    }

    /** The volumes of this test's provisioner. */
    public List<PersistentVolume> volumes() {
        return admin().persistentVolumes().list().getItems().stream()
                .filter(volume -> provisioner.equals(Metadata.annotation(volume, "pv.kubernetes.io/provisioned-by")))
                .toList();
    }

    /** Creates a claim and waits until it is Bound. */
    public PersistentVolume provision(String claim, String storageClass) {
        claim(claim, storageClass);
        return awaitBound(claim);
    }

    public PersistentVolume awaitBound(String claim) {
        await(claim + " to be Bound").until(() -> isBound(claim));
        return volume(get(claim).orElseThrow().getSpec().getVolumeName()).orElseThrow();
    }

    public void delete(String claim) {
        admin().persistentVolumeClaims()
                .inNamespace(namespace())
                .withName(claim)
                .delete();
    }

    public void awaitDeleted(String claim) {
        await("deletion of " + claim + " and its volume")
                .until(() -> get(claim).isEmpty() && volume(volumeName(claim)).isEmpty());
    }

    /** The messages of the object's events with that reason. */
    public List<String> events(String object, String reason) {
        return events(object, "reason", reason).map(Event::getNote).toList();
    }

    public String awaitEvent(String object, String reason) {
        await("event " + reason + " of " + object)
                .until(() -> !events(object, reason).isEmpty());
        return events(object, reason).getFirst();
    }

    public void awaitEvent(String object, String reason, String text) {
        await("event " + reason + " of " + object + ": " + text)
                .until(() -> events(object, reason).stream().anyMatch(note -> note.contains(text)));
    }

    /** The entries of the root, without .bucketwright. */
    public List<String> directories() {
        return names(root).stream()
                .filter(name -> !name.equals(".bucketwright"))
                .toList();
    }

    public List<String> markers() {
        return names(root.resolve(".bucketwright")).stream()
                .filter(name -> name.endsWith(".json") && !name.equals("root.json"))
                .map(name -> name.substring(0, name.length() - 5))
                .toList();
    }

    public List<String> trash() {
        return names(root.resolve(".bucketwright/trash"));
    }

    public List<String> archive() {
        return names(root.resolve(".bucketwright/archive"));
    }

    /** The first archived directory. */
    public Path archived() {
        return root.resolve(".bucketwright/archive").resolve(archive().getFirst());
    }

    static List<String> names(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every directory has a marker and a volume, and every volume a directory of its own. */
    public void assertInvariants() {
        List<String> volumes = volumes().stream()
                .map(volume -> volume.getMetadata().getName())
                .sorted()
                .toList();
        assertThat(directories()).isEqualTo(volumes);
        assertThat(markers()).isEqualTo(volumes);
        assertThat(volumes().stream()
                        .map(volume -> volume.getSpec().getHostPath().getPath()))
                .doesNotHaveDuplicates()
                .allMatch(path -> Files.isDirectory(Path.of(path)));
        assertThat(volumes().stream()
                        .map(volume -> volume.getSpec().getClaimRef().getUid()))
                .doesNotHaveDuplicates();
        assertThat(trash()).isEmpty();
    }

    /** No directory, volume, marker or trash is left. */
    public boolean isEmpty() {
        return volumes().isEmpty() && directories().isEmpty() && markers().isEmpty() && trash().isEmpty();
    }

    public void awaitEmpty() {
        await("all directories and volumes to be deleted").until(this::isEmpty);
    }

    public void awaitPhase(String claim, String phase) {
        await("volume of " + claim + " to be " + phase)
                .until(() -> volume(volumeName(claim))
                        .filter(volume -> phase.equals(volume.getStatus().getPhase()))
                        .isPresent());
    }

    public void deleteVolume(String claim) {
        admin().persistentVolumes().withName(volumeName(claim)).delete();
    }

    public void editVolume(String claim, Consumer<PersistentVolumeSpec> edit) {
        cluster.edit(volume(volumeName(claim)).orElseThrow(), volume -> edit.accept(volume.getSpec()));
    }

    public void annotate(String claim, String key, String value) {
        cluster.edit(
                get(claim).orElseThrow(),
                current -> current.getMetadata().getAnnotations().put(key, value));
    }

    /** Waits until the provisioner has seen all claims and volumes as they are now: it rejects a new one of each. */
    public void awaitSettled() {
        String name = Sentinel.newName();
        String storageClass = storageClass(name, Map.of());
        admin().resource(forgedVolume(
                        name,
                        storageClass,
                        "/" + name,
                        Map.of(
                                "pv.kubernetes.io/provisioned-by",
                                provisioner,
                                "bucketwright.io/directory-root",
                                rootId())))
                .create();
        awaitClaimsSettled(storageClass, claim -> {});
        awaitEvent(name, "VolumeFailedDelete");
        admin().persistentVolumes().withName(name).delete();
        await("deletion of " + name).until(() -> volume(name).isEmpty());
    }

    /** Waits until the provisioner has seen all claims as they are now: it rejects a new one of that class. */
    public void awaitClaimsSettled(String storageClass, Consumer<PersistentVolumeClaim> more) {
        String name = Sentinel.newName();
        claim(name, storageClass, claim -> {
            claim.getSpec().setVolumeMode("Block");
            more.accept(claim);
        });
        awaitEvent(name, "ProvisioningFailed");
        delete(name);
    }

    /** The id of the root, or of none while the root is not initialized: a volume of another root would close it. */
    private String rootId() {
        try {
            Path file = root.resolve(".bucketwright/root.json");
            return Files.exists(file)
                    ? new ObjectMapper().readTree(file.toFile()).path("id").asText()
                    : "none";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A released volume that the provisioner did not create. */
    public PersistentVolume forgedVolume(
            String name, String storageClass, String path, Map<String, String> annotations) {
        PersistentVolume volume =
                Serialization.unmarshal("""
                metadata: {name: %s}
                spec:
                  capacity: {storage: 1Mi}
                  accessModes: [ReadWriteOnce]
                  persistentVolumeReclaimPolicy: Delete
                  storageClassName: %s
                  hostPath: {path: %s}
                  claimRef: {namespace: %s, name: never, uid: 00000000-0000-0000-0000-000000000000}
                """.formatted(name, storageClass, path, namespace()), PersistentVolume.class);
        volume.getMetadata().setAnnotations(annotations);
        return volume;
    }

    @Override
    public void close() {
        super.close();
        // No provisioner runs that would remove the finalizers.
        volumes().forEach(cluster::forceDelete);
    }
}
