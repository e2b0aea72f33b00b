package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Secret and the ConfigMap as the claim and its class choose them. */
class ApplicationObjectsTest {

    private static final String PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    private static final Map<String, String> NAMES =
            Map.of("applicationSecretName", "${name}-s3", "applicationConfigMapName", "settings.${name}");

    private static ObjectBucketClaimSpec.Builder spec(Map<String, String> options) {
        return photos().additionalConfig(options);
    }

    private static World bound(Map<String, String> parameters, Map<String, String> options) {
        World world = new World(parameters);
        world.bind(spec(options));
        return world;
    }

    private static Secret secret(World world, String name) {
        return world.server.get(Secret.class, World.NAMESPACE, name).orElseThrow();
    }

    private static ConfigMap configMap(World world, String name) {
        return world.server.get(ConfigMap.class, World.NAMESPACE, name).orElseThrow();
    }

    private static List<String> names(World world, Class<? extends HasMetadata> type) {
        return world.server.list(type).stream()
                .map(HasMetadata::getMetadata)
                .map(ObjectMeta::getName)
                .toList();
    }

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().getOrDefault(key, "")), StandardCharsets.UTF_8);
    }

    private static void assertNothingLeft(World world) {
        assertThat(names(world, Secret.class)).isEmpty();
        assertThat(names(world, ConfigMap.class)).isEmpty();
        assertThat(world.server.list(ObjectBucket.class)).isEmpty();
        assertThat(world.server.list(ObjectBucketClaim.class)).isEmpty();
        assertThat(world.store.names()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aClassOrAClaimChoosesTheNames(boolean ofClass) {
        World world = bound(ofClass ? NAMES : Map.of(), ofClass ? Map.of() : NAMES);
        assertThat(names(world, Secret.class)).containsExactly("mine-s3");
        assertThat(names(world, ConfigMap.class)).containsExactly("settings.mine");
        ObjectBucketClaimSpec claim = world.claim().orElseThrow().getSpec();
        assertThat(Objects.requireNonNull(claim.secretRef()).getName()).isEqualTo("mine-s3");
        assertThat(Objects.requireNonNull(claim.configMapRef()).getName()).isEqualTo("settings.mine");

        world.assertRestartWritesNothing();
        world.server.delete(Secret.class, World.NAMESPACE, "mine-s3");
        world.server.delete(ConfigMap.class, World.NAMESPACE, "settings.mine");
        world.settle();
        assertThat(names(world, Secret.class)).as("deleted by somebody").containsExactly("mine-s3");
        assertThat(names(world, ConfigMap.class)).containsExactly("settings.mine");
        world.deleteClaim();
        assertNothingLeft(world);
    }

    @Test
    void theNameOfTheClaimTakesPrecedenceOverThatOfTheClass() {
        World world = bound(NAMES, Map.of("applicationSecretName", "chosen"));
        assertThat(names(world, Secret.class)).containsExactly("chosen");
        assertThat(names(world, ConfigMap.class)).containsExactly("settings.mine");
    }

    @Test
    void oneSecretHoldsEverything() {
        World world = bound(Map.of("singleSecret", "true", "caBundle", PEM), Map.of());
        assertThat(names(world, ConfigMap.class)).isEmpty();
        Secret secret = secret(world, World.NAME);
        assertThat(text(secret, "BUCKET_NAME"))
                .isEqualTo(world.claim().orElseThrow().getSpec().bucketName());
        assertThat(text(secret, "ca-bundle.crt")).isEqualTo(PEM);
        assertThat(secret.getData()).containsKeys("AWS_ENDPOINT_URL", "AWS_SECRET_ACCESS_KEY");
        assertThat(world.claim().orElseThrow().getSpec().configMapRef()).isNull();

        int keys = world.store.keys();
        world.delete(Secret.class);
        world.settle();
        assertThat(secret(world, World.NAME).getData()).isEqualTo(secret.getData());
        world.editSecret(found -> found.getData().put("BUCKET_HOST", "ZXZpbA=="));
        world.settle();
        assertThat(text(secret(world, World.NAME), "BUCKET_HOST")).isEqualTo(text(secret, "BUCKET_HOST"));
        assertThat(world.store.keys()).isEqualTo(keys);
        world.deleteClaim();
        assertNothingLeft(world);
    }

    @Test
    void aForeignObjectOfTheChosenNameIsNeverChanged() {
        World world = new World(Map.of());
        Secret foreign = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(World.NAMESPACE)
                .withName("production")
                .endMetadata()
                .withData(Map.of("password", "aHVzaA=="))
                .build();
        world.server.create(foreign);
        world.claim(spec(Map.of("applicationSecretName", "production")));
        world.settleFor(World.SECOND);
        world.assertReady("SecretNotOwned", "team/production", "applicationSecretName");
        assertThat(secret(world, "production").getData()).isEqualTo(foreign.getData());
        assertThat(secret(world, "production").getMetadata().getFinalizers()).isNullOrEmpty();
        world.deleteClaim();
        assertThat(names(world, Secret.class)).containsExactly("production");
        assertThat(world.store.names()).isEmpty();
    }

    @Test
    void ofTwoClaimsThatChooseOneNameTheSecondWaitsForTheFirst() {
        World world = bound(Map.of(), Map.of("applicationSecretName", "shared"));
        world.claim(World.NAMESPACE, "second", spec(Map.of("applicationSecretName", "shared")));
        world.settleFor(World.SECOND);
        assertThat(world.reason(World.NAMESPACE, "second")).isEqualTo("SecretNotOwned");
        world.server.delete(ObjectBucketClaim.class, World.NAMESPACE, World.NAME);
        world.reconcile();
        assertThat(world.reason(World.NAMESPACE, "second"))
                .as("without waiting for a retry")
                .isEqualTo("Bound");
    }

    @ParameterizedTest
    @CsvSource({"applicationSecretName,other", "applicationConfigMapName,other", "singleSecret,true"})
    void theyCannotBeChangedLater(String option, String value) {
        World world = bound(Map.of(), Map.of());
        Set<Map.Entry<String, String>> data =
                secret(world, World.NAME).getData().entrySet();
        world.settleOptions(Map.of(option, value));
        world.assertReady("OptionsNotApplied", option, "cannot be changed");
        assertThat(names(world, Secret.class)).containsExactly(World.NAME);
        assertThat(names(world, ConfigMap.class)).containsExactly(World.NAME);
        assertThat(secret(world, World.NAME).getData().entrySet()).isEqualTo(data);
        world.settleOptions(Map.of());
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @ParameterizedTest
    @CsvSource({"applicationSecretName,Not_A_Name", "applicationConfigMapName,../x", "singleSecret,yes"})
    void invalidValuesNameTheOptionOrTheParameter(String option, String value) {
        World ofClaim = World.settled(Map.of(), spec(Map.of(option, value)));
        ofClaim.assertReady("Invalid", option);
        World ofClass = World.settled(Map.of(option, value), spec(Map.of()));
        ofClass.assertReady("InvalidClass", option);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aLostRecordDoesNotKeepTheObjects(boolean claimToo) {
        World world = bound(NAMES, Map.of());
        world.forceDeleteBucket();
        if (claimToo) {
            world.editClaim(claim -> claim.getMetadata().setFinalizers(List.of()));
        }
        world.delete(ObjectBucketClaim.class);
        world.settle();
        assertThat(names(world, Secret.class)).isEmpty();
        assertThat(names(world, ConfigMap.class)).isEmpty();
        assertThat(world.claim()).isEmpty();
    }

    @Test
    void theCaBundleOfTheClassIsInTheConfigMapAndOnlyOnceInTheObjectBucket() {
        World world = bound(Map.of("caBundle", PEM, "renameKeys", "ca-bundle.crt=store.pem"), Map.of());
        assertThat(configMap(world, World.NAME).getData()).containsEntry("store.pem", PEM);
        ObjectBucket bucket = world.objectBucket();
        assertThat(Objects.requireNonNull(bucket.getSpec().endpoint()).config()).doesNotContainValue(PEM);
        world.editConfigMap(found -> found.getData().put("store.pem", "another"));
        world.settle();
        assertThat(configMap(world, World.NAME).getData()).containsEntry("store.pem", PEM);
        world.settleOptions(Map.of("renameKeys", "ca-bundle.crt="));
        assertThat(configMap(world, World.NAME).getData()).doesNotContainKey("store.pem");
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }
}
