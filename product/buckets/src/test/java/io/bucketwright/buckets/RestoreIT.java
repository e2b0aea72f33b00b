package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Follows docs/backup-and-restore.md, and adopts buckets, on versitygw. */
@OnCluster(with = AddOn.S3)
class RestoreIT extends BucketTestBase {

    @Test
    void restoredClaimsFindTheirBucketsAndNobodyElseGetsThem() {
        String storageClass = bench.storageClass("s3", parameters(Map.of("onNotEmpty", "purge")));
        ControllerProcess first = bench.startInstalledStores(cluster.user("first"));
        List<String> names = List.of("photos", "videos");
        names.forEach(name -> bench.bind(name, storageClass));
        names.forEach(name -> write(name, "content of " + name));
        Map<String, String> formerKeys = bench.keys("photos");
        Map<String, String> config = bench.config("photos");
        List<ObjectBucketClaim> backup = names.stream()
                .map(name -> BucketFixture.exported(bench.get(name)))
                .toList();
        first.close();
        names.forEach(this::lose);

        bench.claim(
                "thief",
                BucketFixture.spec(storageClass)
                        .bucketName(backup.getFirst().getSpec().bucket().orElseThrow()));
        backup.forEach(claim -> bench.admin().resource(claim).create());
        bench.startInstalledStores(cluster.user("second"));
        for (ObjectBucketClaim claim : backup) {
            String name = claim.getMetadata().getName();
            assertThat(bench.awaitBound(name))
                    .isEqualTo(claim.getSpec().bucket().orElseThrow());
            assertThat(read(bench.keys(name), bench.config(name))).isEqualTo("content of " + name);
        }
        assertThatThrownBy(() -> read(formerKeys, config)).isInstanceOf(S3Exception.class);
        bench.awaitReason("thief", "BucketTaken");
        bench.remove("photos", "videos", "thief");
    }

    @Test
    void aClassAdoptsTheBucketOfAClaimThatNoLongerExists() {
        String storageClass = bench.storageClass("s3", parameters(Map.of()));
        Map<String, String> adopt = parameters(Map.of("adopt", "*", "adoptOrphans", "true"));
        String adopting = bench.storageClass("adopt", adopt);
        ControllerProcess first = bench.startInstalledStores(cluster.user("first"));
        List.of("lost", "kept").forEach(name -> bench.bind(name, storageClass));
        write("lost", "content");
        Map<String, String> formerKeys = bench.keys("lost");
        Map<String, String> config = bench.config("lost");
        String lost = bench.bucketName("lost");
        String kept = bench.bucketName("kept");
        first.close();
        lose("lost");

        bench.startInstalledStores(cluster.user("second"));
        bench.claim("thief", BucketFixture.spec(adopting).bucketName(kept));
        bench.claim("heir", BucketFixture.spec(adopting).bucketName(lost));
        assertThat(bench.awaitBound("heir")).isEqualTo(lost);
        assertThat(read(bench.keys("heir"), bench.config("heir"))).isEqualTo("content");
        assertThatThrownBy(() -> read(formerKeys, config)).isInstanceOf(S3Exception.class);
        bench.awaitReason("thief", "OrphanNotAdopted");
        Eventually.await("the event of the adoption")
                .until(() -> cluster.events().stream()
                        .anyMatch(event -> event.getReason().equals("OrphanAdopted")
                                && event.getRegarding().getName().equals("heir")));
        assertThat(bench.reason("kept")).isEqualTo("Bound");
        bench.remove("heir", "thief", "kept");
    }

    @Test
    void ofSeveralClaimsThatAdoptABucketAtTheSameTimeOneIsBound() {
        Map<String, String> retain = parameters(Map.of("reclaimPolicy", "Retain"));
        Map<String, String> adopt = parameters(Map.of("adopt", "*"));
        String retaining = bench.storageClass("retain", retain);
        String adopting = bench.storageClass("adopt", adopt);
        bench.startInstalledStores(cluster.user("buckets"));
        List<String> buckets = IntStream.range(0, 4)
                .mapToObj(i -> bench.bind("former-" + i, retaining))
                .toList();
        IntStream.range(0, 4).forEach(i -> bench.remove("former-" + i));
        for (int i = 0; i < buckets.size(); i++) {
            String bucket = buckets.get(i);
            List<String> heirs = List.of("one-" + i, "two-" + i);
            heirs.parallelStream()
                    .forEach(heir ->
                            bench.claim(heir, BucketFixture.spec(adopting).bucketName(bucket)));
        }
        for (int i = 0; i < buckets.size(); i++) {
            List<String> heirs = List.of("one-" + i, "two-" + i);
            Eventually.await("one of " + heirs + " to be Bound and the other to be rejected")
                    .until(() -> heirs.stream()
                            .map(bench::reason)
                            .sorted()
                            .toList()
                            .equals(List.of("Bound", "BucketTaken")));
        }
        bench.awaitSettled();
        assertThat(Stream.of("one-", "two-")
                        .flatMap(name -> IntStream.range(0, 4).mapToObj(i -> bench.get(name + i)))
                        .filter(claim -> claim.phase() == Phase.BOUND))
                .hasSize(4);
    }

    private Map<String, String> parameters(Map<String, String> more) {
        StoreAccess access = cluster.local().s3().orElseThrow();
        if (bench.secret("administrator") == null) {
            bench.foreignSecret("administrator", S3Clients.keys(access));
        }
        return bench.s3Parameters(access, more);
    }

    /** The cluster loses everything of the claim; the store keeps it. */
    private void lose(String name) {
        cluster.forceDelete(bench.bucketOf(name));
        cluster.forceDelete(bench.get(name));
        cluster.forceDelete(bench.secret(name));
        cluster.forceDelete(bench.configMap(name));
        Eventually.await("loss of " + name)
                .until(() -> bench.get(name) == null && bench.secret(name) == null && bench.configMap(name) == null);
    }

    private void write(String name, String content) {
        try (S3Client s3 = S3Clients.application(bench.config(name), bench.keys(name))) {
            S3Clients.put(s3, bench.bucketName(name), content);
        }
    }

    private static String read(Map<String, String> keys, Map<String, String> config) {
        try (S3Client s3 = S3Clients.application(config, keys)) {
            return S3Clients.read(s3, config.getOrDefault("BUCKET_NAME", ""));
        }
    }
}
