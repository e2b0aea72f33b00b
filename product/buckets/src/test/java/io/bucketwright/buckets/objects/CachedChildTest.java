package io.bucketwright.buckets.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants can label Secrets and ConfigMaps so that the controller caches them. */
class CachedChildTest {

    private static final String MEBIBYTE = "QUJD".repeat(256 * 1024);
    private static final ProvisionerSettings SETTINGS = new ProvisionerSettings(
            new ProvisionerName("test.io/bucket"), Map.of("app", "x"), () -> "c", "", false, Map.of(), Duration.ZERO);
    private static final CachedChild CACHED = CachedChild.of(SETTINGS);
    private static final Map<String, String> DATA = Map.of("ACCESS_KEY", "SUQ=", "SECRET_KEY", "S0VZ");
    private static final IssuedCredentials ISSUED = new IssuedCredentials(
            "bucket-uid", "ID", ContentDigest.of(ContentDigest.ofEach(DATA)), DATA.keySet(), "", "issuer");

    @Test
    void anObjectOfOneMebibyteCostsLittleMemoryWhateverIsLargeInIt() {
        Map<String, String> huge = Map.of("a", MEBIBYTE);
        Map<String, String> many = keys(50_000, 5);
        Map<String, String> manyLong = keys(3000, 253);
        for (Map<String, String> data : List.of(huge, many, manyLong)) {
            assertBounded(data, metadata(Map.of()).build());
            assertBounded(data, hostile(many, 5000).build());
        }
        assertBounded(
                huge, metadata(Map.of(IssuedCredentials.ANNOTATION, MEBIBYTE)).build());
        assertBounded(
                many,
                metadata(CachedChild.annotations(many.keySet()))
                        .addToAnnotations(new IssuedCredentials("", "", "", many.keySet(), "", "").annotations())
                        .build());
    }

    private static void assertBounded(Map<String, String> data, ObjectMeta metadata) {
        assertThat(size(CACHED.trimmed(secret(data, metadata)))).isLessThan(16_000);
        assertThat(size(CACHED.trimmed(configMap(data, metadata)))).isLessThan(16_000);
    }

    @Test
    void noValueOfASecretIsKept() {
        String cached = Serialization.asJson(
                CACHED.trimmed(secret(DATA, metadata(Map.of()).build())));
        assertThat(cached).doesNotContain("S0VZ").doesNotContain("SUQ=").contains("SECRET_KEY");
    }

    @Test
    void digestsShowEachChangeOfOwnKeysAndIgnoreThoseOfOthers() {
        assertThat(ISSUED.matches(cached(DATA))).isTrue();
        assertThat(cached(DATA).content()).isEqualTo(ContentDigest.ofEach(DATA));
        assertThat(ISSUED.matches(cached(with("THEIRS", MEBIBYTE))))
                .as("key added")
                .isTrue();
        assertThat(ISSUED.matches(cached(with("SECRET_KEY", "T1RIRVI="))))
                .as("value changed")
                .isFalse();
        assertThat(ISSUED.matches(cached(with("SECRET_KEY", ""))))
                .as("value emptied")
                .isFalse();
        assertThat(ISSUED.matches(cached(with("SECRET_KEY", MEBIBYTE))))
                .as("large value")
                .isFalse();
        assertThat(ISSUED.matches(cached(Map.of("ACCESS_KEY", "SUQ="))))
                .as("key removed")
                .isFalse();
        assertThat(ISSUED.matches(cached(Map.of("ACCESS_KEY", "S0VZ", "SECRET_KEY", "SUQ="))))
                .as("values exchanged")
                .isFalse();
        assertThat(ISSUED.matches(cached(Map.of()))).as("no data").isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 5000})
    void ownKeysAreKeptHoweverManyOthersThereAre(int others) {
        Map<String, String> data = new TreeMap<>(keys(others, 100));
        data.putAll(DATA);
        Secret secret =
                CACHED.trimmed(secret(data, metadata(ISSUED.annotations()).build()));
        assertThat(ISSUED.matches(ChildObject.ofSecret(secret))).isTrue();
        ConfigMap configMap = CACHED.trimmed(
                configMap(data, metadata(CachedChild.annotations(DATA.keySet())).build()));
        assertThat(ChildObject.ofConfigMap(configMap).contains(ContentDigest.ofEach(DATA), Set.of()))
                .isTrue();
    }

    @Test
    void whatTheControllerReadsIsKept() {
        ObjectMeta metadata = metadata(ISSUED.annotations()).build();
        for (HasMetadata kept :
                List.of(CACHED.trimmed(secret(DATA, metadata)), CACHED.trimmed(configMap(DATA, metadata)))) {
            assertThat(kept.getMetadata()).isEqualTo(metadata);
        }
        assertThat(IssuedCredentials.in(CACHED.trimmed(secret(DATA, metadata)))).contains(ISSUED);
    }

    private static ChildObject.Owned<Secret> cached(Map<String, String> data) {
        return ChildObject.ofSecret(
                CACHED.trimmed(secret(data, metadata(Map.of()).build())));
    }

    private static Map<String, String> with(String key, String value) {
        Map<String, String> data = new HashMap<>(DATA);
        data.put(key, value);
        return data;
    }

    /** Keys of that length, sorted before those of the controller. */
    private static Map<String, String> keys(int number, int length) {
        Map<String, String> keys = new HashMap<>();
        IntStream.range(0, number).forEach(i -> keys.put(String.format("%0" + length + "d", i), "QQ=="));
        return keys;
    }

    private static ObjectMetaBuilder hostile(Map<String, String> keys, int many) {
        Map<String, String> texts = new HashMap<>();
        IntStream.range(0, many).forEach(i -> texts.put("key-" + i, "x".repeat(50)));
        return metadata(texts)
                .addToAnnotations(CachedChild.annotations(keys.keySet()))
                .addToLabels(texts)
                .withFinalizers(List.copyOf(texts.keySet()))
                .withOwnerReferences(IntStream.range(0, many)
                        .mapToObj(i -> new OwnerReferenceBuilder()
                                .withApiVersion("objectbucket.io/v1alpha1")
                                .withKind("ObjectBucketClaim")
                                .withName("n".repeat(i))
                                .withUid("uid-" + i)
                                .build())
                        .toList());
    }

    private static ObjectMetaBuilder metadata(Map<String, String> annotations) {
        return new ObjectMetaBuilder()
                .withNamespace("team")
                .withName("mine")
                .withUid("uid")
                .withResourceVersion("1")
                .withLabels(SETTINGS.allLabels())
                .withAnnotations(annotations)
                .withFinalizers(ObjectBucketNames.FINALIZER, "others.example.com/finalizer");
    }

    private static Secret secret(Map<String, String> data, ObjectMeta metadata) {
        return new SecretBuilder().withMetadata(metadata).withData(data).build();
    }

    private static ConfigMap configMap(Map<String, String> data, ObjectMeta metadata) {
        return new ConfigMapBuilder()
                .withMetadata(metadata)
                .withData(data)
                .withBinaryData(Map.of("binary", MEBIBYTE))
                .build();
    }

    private static int size(HasMetadata object) {
        return Serialization.asJson(object).length();
    }
}
