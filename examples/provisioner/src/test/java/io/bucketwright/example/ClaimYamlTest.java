package io.bucketwright.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.store.Stores;
import io.bucketwright.store.parameters.ParameterSchema;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The controller accepts the files in examples/claims. */
final class ClaimYamlTest {

    private static final Path CLAIMS = Path.of("../claims");

    private final ParameterSchema s3 = Stores.installed().factory("s3").parameters();

    @Test
    void theClassesHaveOnlyKnownAndValidParameters() throws IOException {
        List<StorageClass> classes = all(StorageClass.class);
        assertThat(classes).hasSize(2);
        for (StorageClass it : classes) {
            Map<String, String> parameters = new HashMap<>(it.getParameters());
            Set<String> known = Stream.concat(ClassParameters.names().stream(), s3.names().stream())
                    .collect(Collectors.toSet());
            assertThat(known).containsAll(parameters.keySet());
            BucketClassRef reference = new BucketClassRef(it.getMetadata().getName(), "uid", parameters);
            BucketClass bucketClass = BucketClass.read(reference, it.getReclaimPolicy());
            assertThat(bucketClass.name()).isEqualTo(it.getMetadata().getName());
            assertThat(bucketClass.limitsNewNames())
                    .isNotEqualTo(bucketClass.existingBucket().isPresent());
            assertThat(s3.parse(parameters, ClassParameters.names()).find("endpoint"))
                    .isPresent();
        }
    }

    @Test
    void theSecretIsTheOneThatTheClassesName() throws IOException {
        Secret secret = all(Secret.class).getFirst();
        assertThat(secret.getStringData()).containsOnlyKeys("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
        assertThat(all(StorageClass.class))
                .allSatisfy(it -> assertThat(it.getParameters())
                        .containsEntry("secretName", secret.getMetadata().getName())
                        .containsEntry("secretNamespace", secret.getMetadata().getNamespace()));
    }

    @Test
    void theClaimsHaveNoUnknownFieldAndNameAClassOfTheseExamples() throws IOException {
        List<String> classes = all(StorageClass.class).stream()
                .map(it -> it.getMetadata().getName())
                .toList();
        assertThat(all(ObjectBucketClaim.class)).hasSize(2).allSatisfy(claim -> {
            assertThat(claim.getSpec().unknown()).isEmpty();
            assertThat(claim.getSpec().storageClass())
                    .hasValueSatisfying(name -> assertThat(classes).contains(name));
        });
    }

    @Test
    void thePodUsesTheSecretAndTheConfigMapOfTheClaim() throws IOException {
        Pod pod = all(Pod.class).getFirst();
        assertThat(pod.getSpec().getContainers().getFirst().getEnvFrom())
                .hasSize(2)
                .allSatisfy(from -> assertThat(
                                from.getSecretRef() != null
                                        ? from.getSecretRef().getName()
                                        : from.getConfigMapRef().getName())
                        .isEqualTo("photos"));
        assertThat(all(ObjectBucketClaim.class))
                .anySatisfy(claim -> assertThat(claim.getMetadata().getName()).isEqualTo("photos"));
    }

    private static <T extends HasMetadata> List<T> all(Class<T> kind) throws IOException {
        try (Stream<Path> files = Files.list(CLAIMS)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .map(ClaimYamlTest::read)
                    .filter(yaml -> yaml.contains("\nkind: " + kind.getSimpleName() + "\n"))
                    .map(yaml -> Serialization.unmarshal(yaml, kind))
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
