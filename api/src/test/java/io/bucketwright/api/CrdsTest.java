package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrdsTest {
    static Stream<Class<? extends CustomResource<?, ?>>> kinds() {
        return Crds.kinds().stream();
    }

    /** A wanted change: cp api/target/classes/io/bucketwright/api/crds/*.yaml api/src/test/resources/golden/ */
    @ParameterizedTest
    @MethodSource("kinds")
    void theSchemaIsTheOneThatWasReviewed(Class<? extends CustomResource<?, ?>> kind) {
        assertThat(Crds.yaml(kind)).isEqualTo(Samples.resource("/golden/" + Crds.fileName(kind)));
    }

    @Test
    void columnsStandInTheOrderPeopleReadThem() {
        assertThat(columns(ObjectBucketClaim.class))
                .containsExactly("Storage-Class", "Bucket", "Phase", "Reason", "Age");
        assertThat(columns(ObjectBucket.class))
                .containsExactly(
                        "Storage-Class", "Claim-Namespace", "Claim-Name", "Reclaim-Policy", "Bucket", "Phase", "Age");
    }

    @Test
    void allDefinitionsAreOneStream() {
        assertThat(Crds.yaml().split("(?m)^---$"))
                .hasSameSizeAs(Crds.all())
                .allSatisfy(document -> assertThat(document).contains("kind: CustomResourceDefinition"));
    }

    private static Stream<String> columns(Class<? extends CustomResource<?, ?>> kind) {
        return Crds.of(kind).getSpec().getVersions().getFirst().getAdditionalPrinterColumns().stream()
                .map(CustomResourceColumnDefinition::getName);
    }
}
