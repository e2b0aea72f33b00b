package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** One test's workbench: a root of its own, classes of a provisioner of its own, claims, and what became of them. */
public final class DirectoryBench implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestCluster cluster;
    private final Path root;
    private final String provisioner;
    private final Deque<DirectoryProvisioner> open = new ArrayDeque<>();
    private final List<Runnable> cleanUps = new ArrayList<>();
    private final Set<String> claims = ConcurrentHashMap.newKeySet();

    public DirectoryBench(TestCluster cluster, Path root) {
        this(cluster, root, "");
    }

    /** One of several in the same namespace; the suffix tells their provisioners from each other. */
    public DirectoryBench(TestCluster cluster, Path root, String suffix) {
        this.cluster = cluster;
        this.root = root;
        this.provisioner = cluster.namespace() + ".test/directory" + suffix;
    }

    public KubernetesClient admin() {
        return cluster.admin();
    }

    public String namespace() {
        return cluster.namespace();
    }

    public String provisionerName() {
        return provisioner;
    }

    public Path root() {
        return root;
    }

    /** Who may do what deploy/directories-rbac.yaml says and nothing else, beside leases. */
    public static ApiUser account(TestCluster cluster, String name) {
        return cluster.user(name, rules());
    }

    private static List<PolicyRule> rules() {
        try (KubernetesClient none = new io.fabric8.kubernetes.client.KubernetesClientBuilder().build();
                FileInputStream file = new FileInputStream("../deploy/directories-rbac.yaml")) {
            List<PolicyRule> rules = new ArrayList<>();
            for (HasMetadata object : none.load(file).items()) {
                if (object instanceof ClusterRole role) {
                    rules.addAll(role.getRules());
                } else if (object instanceof io.fabric8.kubernetes.api.model.rbac.Role role) {
                    rules.addAll(role.getRules());
                }
            }
            return rules;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public DirectoryProvisioner provisioner(ApiUser user) {
        return provisioner(user, builder -> {});
    }

    public DirectoryProvisioner provisioner(ApiUser user, Consumer<DirectoryProvisioner.Builder> more) {
        DirectoryProvisioner.Builder builder = DirectoryProvisioner.builder()
                .client(user.config())
                .provisioner(provisioner)
                .root(root);
        more.accept(builder);
        DirectoryProvisioner made = builder.build().start();
        open.push(made);
        try {
            made.awaitWorking();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return made;
    }

    public String storageClass(String suffix, Map<String, String> parameters) {
        return storageClass(suffix, parameters, builder -> {});
    }

    /** A class of this test's provisioner whose directories belong to 1000:1000 unless it says otherwise. */
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
        admin().resource(builder.build()).create();
        cleanUps.add(
                () -> admin().storage().v1().storageClasses().withName(name).delete());
        return name;
    }

    public PersistentVolumeClaim claim(String name, String storageClass) {
        return claim(name, storageClass, builder -> {});
    }

    public PersistentVolumeClaim claim(String name, String storageClass, Consumer<PersistentVolumeClaimBuilder> more) {
        PersistentVolumeClaimBuilder builder = new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteMany")
                .withStorageClassName(storageClass)
                .withNewResources()
                .addToRequests("storage", new Quantity("10Mi"))
                .endResources()
                .endSpec();
        more.accept(builder);
        claims.add(name);
        return admin().resource(builder.build()).create();
    }

    public Optional<PersistentVolumeClaim> get(String claim) {
        return Optional.ofNullable(admin().persistentVolumeClaims()
                .inNamespace(namespace())
                .withName(claim)
                .get());
    }

    public Optional<PersistentVolume> volume(String name) {
        return Optional.ofNullable(admin().persistentVolumes().withName(name).get());
    }

    /** The name that a claim's volume has unless its class says otherwise. */
    public String volumeName(String claim) {
        return namespace() + "-" + claim + "-vol";
    }

    public Path directory(String claim) {
        return root.resolve(volumeName(claim));
    }

    /** The volumes of this test's provisioner. */
    public List<PersistentVolume> volumes() {
        return admin().persistentVolumes().list().getItems().stream()
                .filter(volume -> provisioner.equals(annotation(volume, "pv.kubernetes.io/provisioned-by")))
                .toList();
    }

    public PersistentVolume awaitBound(String claim) {
        await(claim + " to be bound").until(() -> isBound(claim));
        return volume(get(claim).orElseThrow().getSpec().getVolumeName()).orElseThrow();
    }

    public boolean isBound(String claim) {
        return get(claim)
                .filter(it ->
                        it.getStatus() != null && "Bound".equals(it.getStatus().getPhase()))
                .isPresent();
    }

    public void delete(String claim) {
        admin().persistentVolumeClaims()
                .inNamespace(namespace())
                .withName(claim)
                .delete();
    }

    public void awaitGone(String claim) {
        await(claim + " and its volume to be gone")
                .until(() -> get(claim).isEmpty() && volume(volumeName(claim)).isEmpty());
    }

    /** The messages of events about that object, with that reason. */
    public List<String> told(String object, String reason) {
        return Stream.of(namespace(), "default")
                .flatMap(it -> admin().events().v1().events().inNamespace(it).list().getItems().stream())
                .filter(event -> object.equals(event.getRegarding().getName())
                        && event.getReason().equals(reason))
                .map(Event::getNote)
                .toList();
    }

    public String awaitTold(String object, String reason) {
        await(object + " to be told " + reason)
                .until(() -> !told(object, reason).isEmpty());
        return told(object, reason).getFirst();
    }

    public void awaitTold(String object, String reason, String words) {
        await(object + " to be told " + words)
                .until(() -> told(object, reason).stream().anyMatch(note -> note.contains(words)));
    }

    /** What is below the root, without our own directory. */
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

    /** Every directory has a volume, every volume a directory, none twice. */
    public void assertInvariants() {
        List<String> volumes = volumes().stream()
                .map(it -> it.getMetadata().getName())
                .sorted()
                .toList();
        assertThat(directories()).isEqualTo(volumes);
        assertThat(markers()).isEqualTo(volumes);
        assertThat(volumes().stream().map(it -> it.getSpec().getHostPath().getPath()))
                .doesNotHaveDuplicates()
                .allMatch(path -> Files.isDirectory(Path.of(path)));
        assertThat(volumes().stream().map(it -> it.getSpec().getClaimRef().getUid()))
                .doesNotHaveDuplicates();
        assertThat(trash()).isEmpty();
    }

    public static String annotation(HasMetadata object, String key) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(key, "");
    }

    /** Waits until nothing of this test has moved for a while. */
    public void awaitQuiet() {
        List<String> seen = new ArrayList<>();
        Awaitility.await("quiet")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(700))
                .until(() -> {
                    List<String> now = new ArrayList<>();
                    volumes().forEach(it -> now.add(it.getMetadata().getResourceVersion()));
                    admin().persistentVolumeClaims()
                            .inNamespace(namespace())
                            .list()
                            .getItems()
                            .forEach(it -> now.add(it.getMetadata().getResourceVersion()));
                    now.addAll(directories());
                    now.addAll(markers());
                    boolean same = now.equals(seen);
                    seen.clear();
                    seen.addAll(now);
                    return same;
                });
    }

    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(100));
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        cleanUps.forEach(Runnable::run);
        claims.forEach(this::delete);
        // Nobody is left to take the finalizers off.
        volumes().forEach(this::force);
    }

    private void force(HasMetadata object) {
        try {
            admin().resource(object).delete();
            admin().resource(object).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
        } catch (KubernetesClientException e) {
            // Somebody else was faster, which is as good.
            assertThat(e.getCode()).isIn(404, 409, 422);
        }
    }
}
