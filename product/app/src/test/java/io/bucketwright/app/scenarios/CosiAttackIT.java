package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.SourceTree;
import io.bucketwright.app.scenarios.AttackedStore.IssuedKey;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * BucketClaims and BucketAccesses while both replicas of controller and sidecar are killed and stopped all the time, on real
 * stores behind the driver. A build runs a small attack on one store; docs/contributing/testing.md has the large one.
 */
@OnCluster(named = "released")
@ResourceLock("BucketClaims of all namespaces")
class CosiAttackIT {

    private static final Logger log = LoggerFactory.getLogger(CosiAttackIT.class);

    private static final int CLAIMS = Integer.getInteger("bucketwright.attack.claims", 10);
    private static final int LEASE_SECONDS = Integer.getInteger("bucketwright.attack.lease", 3);
    private static final Duration LONGEST = Duration.ofMinutes(Integer.getInteger("bucketwright.attack.minutes", 3));
    private static final long SEED = Long.getLong("bucketwright.attack.seed", 1L);

    /** In a build, the attack ends after some rounds, so that a machine with much else to do finishes. */
    private static final AttackedReplicas.Plan PLAN = new AttackedReplicas.Plan(
            Duration.ofSeconds(Integer.getInteger("bucketwright.attack.period", 5)),
            Duration.ofSeconds(LEASE_SECONDS + 1L),
            Integer.getInteger("bucketwright.attack.rounds", 2),
            SEED);

    /** Only the long attack rotates: a rotation takes as long as the grants. */
    private static final boolean ROTATES = Boolean.getBoolean("bucketwright.attack.rotate");

    /** All credentials that were in a Secret at any time. */
    private final Set<IssuedKey> issued = ConcurrentHashMap.newKeySet();

    static List<StoreKind> stores() {
        return Arrays.stream(
                        System.getProperty("bucketwright.attack.stores", "s3").split(",", -1))
                .map(name -> StoreKind.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void afterKillsAndStopsAllAreReadyAndAfterDeletionNothingIsLeftAndNoKeyWorks(StoreKind kind, TestCluster cluster)
            throws Exception {
        Path folder = emptyFolder(kind);
        cluster.install(Crds.released());
        String driver = kind.text() + "." + cluster.namespace();
        try (AttackedStore store = AttackedStore.start(kind);
                SharedIndexInformer<Secret> _ = recordSecrets(cluster);
                AttackedReplicas replicas = new AttackedReplicas(folder, PLAN, roles(cluster, driver, kind, store))) {
            Set<String> foreignAccounts = store.accounts();
            createClasses(cluster, driver);
            replicas.attack();
            IntStream.range(0, CLAIMS).forEach(i -> create(cluster, "c" + i));
            await(kind, "all accesses to be granted", () -> granted(cluster) == CLAIMS && ready(cluster) == CLAIMS);
            Set<IssuedKey> former = ROTATES ? rotated(kind, cluster) : Set.of();
            replicas.pause();

            List<IssuedKey> keys = keys(cluster);
            Set<String> buckets = keys.stream().map(IssuedKey::bucket).collect(Collectors.toCollection(TreeSet::new));
            assertThat(buckets).as("buckets in Secrets").hasSize(CLAIMS);
            assertThat(store.buckets()).as("buckets in the store").isEqualTo(buckets);
            assertEachKeyOpensItsOwnBucketOnly(store, keys);
            await(
                    kind,
                    "accounts without an access to be revoked",
                    () -> store.accounts().stream()
                                    .filter(account -> !foreignAccounts.contains(account))
                                    .allMatch(account -> store.keysOf(account) == 1)
                            && store.accounts().size() - foreignAccounts.size() <= CLAIMS);
            await(kind, "former keys to be revoked", () -> former.stream().noneMatch(store::works));
            assertThat(refused(store, keys)).as("keys in use that are refused").isEmpty();

            replicas.attack();
            delete(cluster);
            await(kind, "all objects to be deleted", () -> isEmpty(cluster, driver));
            replicas.pause();
            assertThat(store.buckets()).as("buckets left").isEmpty();
            await(kind, "no account to be left", () -> store.accounts().equals(foreignAccounts));
            assertThat(issued).hasSizeGreaterThanOrEqualTo(CLAIMS).noneMatch(store::works);
            assertThat(replicas.kills()).isGreaterThanOrEqualTo(2);
        }
        assertNoSecretIsLogged(folder);
    }

    private static Path emptyFolder(StoreKind kind) throws IOException {
        Path folder = Path.of("target", "cosi-attack", kind.text());
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        return folder.toAbsolutePath();
    }

    private static List<AttackedReplicas.Role> roles(
            TestCluster cluster, String driver, StoreKind kind, AttackedStore store) {
        List<String> sidecar = new ArrayList<>(List.of(
                "--with-driver",
                "--driver-name=" + driver,
                "--store=" + (kind == StoreKind.AZURE || kind == StoreKind.GCS ? kind.text() : "s3")));
        store.parameters().forEach((key, value) -> sidecar.add("--param=" + key + "=" + value));
        return List.of(
                new AttackedReplicas.Role(
                        "controller",
                        Map.of(),
                        command(cluster, "controller", List.of("--cosi-api=objectstorage.k8s.io"))),
                new AttackedReplicas.Role("sidecar", store.administrator(), command(cluster, "sidecar", sidecar)));
    }

    private static List<String> command(TestCluster cluster, String command, List<String> more) {
        return Stream.of(
                        List.of("--log-format=json", "cosi", command),
                        more,
                        List.of(
                                "--lease-namespace=" + cluster.namespace(),
                                "--lease-duration=" + LEASE_SECONDS + "s",
                                "--kubeconfig=" + cluster.user(command).kubeconfig()))
                .flatMap(List::stream)
                .toList();
    }

    private static void createClasses(TestCluster cluster, String driver) {
        ReleasedBucketClass bucketClass = new ReleasedBucketClass();
        bucketClass.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace()).build());
        bucketClass.setDriverName(driver);
        bucketClass.setDeletionPolicy(ReleasedNames.DELETE);
        bucketClass.setParameters(Map.of("onNotEmpty", "purge"));
        cluster.admin().resource(bucketClass).create();
        ReleasedBucketAccessClass accessClass = new ReleasedBucketAccessClass();
        accessClass.setMetadata(new ObjectMetaBuilder()
                .withName(cluster.namespace())
                .withAnnotations(Map.of(ReleasedNames.ROTATION_OVERLAP, "10s"))
                .build());
        accessClass.setDriverName(driver);
        accessClass.setAuthenticationType("Key");
        cluster.admin().resource(accessClass).create();
    }

    private static void create(TestCluster cluster, String name) {
        ObjectMeta metadata = new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName(name)
                .build();
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(metadata);
        claim.setSpec(new BucketClaimSpec(cluster.namespace(), List.of(), ""));
        cluster.admin().resource(claim).create();
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(metadata);
        access.setSpec(new ReleasedAccessSpec(name, "", cluster.namespace(), name, ""));
        cluster.admin().resource(access).create();
    }

    /** In any order: a claim waits for its accesses. */
    private static void delete(TestCluster cluster) {
        List<HasMetadata> all = new ArrayList<>(list(cluster, BucketClaim.class));
        all.addAll(list(cluster, ReleasedBucketAccess.class));
        Collections.shuffle(all, new Random(SEED));
        all.forEach(object -> cluster.admin().resource(object).delete());
    }

    /** Requests new credentials of all accesses, waits for them, and returns the former ones. */
    private static Set<IssuedKey> rotated(StoreKind kind, TestCluster cluster) {
        Set<IssuedKey> former = Set.copyOf(keys(cluster));
        String at = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        list(cluster, ReleasedBucketAccess.class)
                .forEach(access -> cluster.edit(
                        access,
                        current -> current.getMetadata().setAnnotations(with(current, CosiNames.ROTATE_AT, at))));
        await(kind, "all accesses to be rotated", () -> keys(cluster).stream().noneMatch(former::contains));
        return former;
    }

    private static Map<String, String> with(HasMetadata object, String key, String value) {
        Map<String, String> annotations = new ConcurrentHashMap<>(
                Optional.ofNullable(object.getMetadata().getAnnotations()).orElse(Map.of()));
        annotations.put(key, value);
        return annotations;
    }

    private static void assertEachKeyOpensItsOwnBucketOnly(AttackedStore store, List<IssuedKey> keys) {
        assertThat(refused(store, keys))
                .as("keys that do not open their bucket")
                .isEmpty();
        List<IssuedKey> tooMuch = IntStream.range(0, keys.size())
                .mapToObj(i ->
                        keys.get(i).forBucket(keys.get((i + 1) % keys.size()).bucket()))
                .filter(store::works)
                .toList();
        assertThat(tooMuch).as("keys that open the bucket of another claim").isEmpty();
    }

    private static List<IssuedKey> refused(AttackedStore store, List<IssuedKey> keys) {
        return keys.stream().filter(Predicate.not(store::works)).toList();
    }

    private static long granted(TestCluster cluster) {
        return list(cluster, ReleasedBucketAccess.class).stream()
                .filter(access -> access.status().accessGranted())
                .count();
    }

    private static long ready(TestCluster cluster) {
        return list(cluster, BucketClaim.class).stream()
                .filter(claim -> claim.status().bucketReady())
                .count();
    }

    private static boolean isEmpty(TestCluster cluster, String driver) {
        return list(cluster, ReleasedBucketAccess.class).isEmpty()
                && list(cluster, BucketClaim.class).isEmpty()
                && cluster.admin().resources(ReleasedBucket.class).list().getItems().stream()
                        .noneMatch(bucket -> bucket.spec().driverName().equals(driver))
                && keys(cluster).isEmpty();
    }

    private static <T extends HasMetadata> List<T> list(TestCluster cluster, Class<T> type) {
        return cluster.admin()
                .resources(type)
                .inNamespace(cluster.namespace())
                .list()
                .getItems();
    }

    private static List<IssuedKey> keys(TestCluster cluster) {
        return list(cluster, Secret.class).stream()
                .flatMap(secret -> key(secret).stream())
                .toList();
    }

    private SharedIndexInformer<Secret> recordSecrets(TestCluster cluster) {
        return cluster.admin().secrets().inNamespace(cluster.namespace()).inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Secret secret) {
                key(secret).ifPresent(issued::add);
            }

            @Override
            public void onUpdate(Secret old, Secret secret) {
                key(secret).ifPresent(issued::add);
            }

            @Override
            public void onDelete(Secret secret, boolean unknown) {
                key(secret).ifPresent(issued::add);
            }
        });
    }

    /** The credentials in a Secret of a BucketAccess. */
    private static Optional<IssuedKey> key(Secret secret) {
        @Nullable Map<String, String> data = secret.getData();
        if (data == null || !data.containsKey(ReleasedNames.BUCKET_INFO)) {
            return Optional.empty();
        }
        try {
            JsonNode spec = new ObjectMapper()
                    .readTree(TestCluster.decoded(secret).getOrDefault(ReleasedNames.BUCKET_INFO, ""))
                    .path("spec");
            JsonNode s3 = spec.path("secretS3");
            String token = spec.at("/secretAzure/accessToken").asText();
            return Optional.of(new IssuedKey(
                    spec.path("bucketName").asText(),
                    s3.path("endpoint").asText(),
                    s3.path("region").asText(),
                    s3.path("accessKeyID").asText(),
                    token.isEmpty() ? s3.path("accessSecretKey").asText() : token));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(StoreKind kind, String what, BooleanSupplier condition) {
        Instant start = Instant.now();
        Eventually.await(kind.text() + ": " + what)
                .atMost(LONGEST)
                .pollInterval(Duration.ofSeconds(1))
                .until(condition::getAsBoolean);
        log.info(
                "{}: {}: {} s",
                kind.text(),
                what,
                Duration.between(start, Instant.now()).toSeconds());
    }

    private void assertNoSecretIsLogged(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String text = SourceTree.read(file);
                assertThat(issued).as("credentials in " + file).noneMatch(key -> text.contains(key.secret()));
            }
        }
    }
}
