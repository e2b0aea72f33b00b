package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrdsTest {
    static Stream<Class<? extends CustomResource<?, ?>>> kinds() {
        return Stream.of(Crds.OBJECT_BUCKET_KINDS, Crds.COSI_KINDS, Crds.RELEASED_KINDS)
                .flatMap(List::stream);
    }

    /** To accept a change: cp product/api/target/classes/io/bucketwright/api/crds/*.yaml product/api/src/test/resources/golden/ */
    @ParameterizedTest
    @MethodSource("kinds")
    void theSchemaEqualsTheGoldenFile(Class<? extends CustomResource<?, ?>> kind) {
        assertThat(Crds.yaml(kind)).isEqualTo(Samples.resource("/golden/" + Crds.fileName(kind)));
    }

    @Test
    void printerColumnsOfObjectBucketsAreOrdered() {
        assertThat(columns(ObjectBucketClaim.class))
                .containsExactly("Storage-Class", "Bucket", "Phase", "Reason", "Age");
        assertThat(columns(ObjectBucket.class))
                .containsExactly(
                        "Storage-Class", "Claim-Namespace", "Claim-Name", "Reclaim-Policy", "Bucket", "Phase", "Age");
    }

    @Test
    void printerColumnsOfCosiAreOrdered() {
        assertThat(columns(BucketRequest.class))
                .containsExactly("Protocol", "Bucket-Class", "Bucket", "Phase", "Message", "Age");
        assertThat(columns(BucketAccessRequest.class))
                .containsExactly("Bucket-Request", "Bucket", "Access-Class", "Access", "Phase", "Message", "Age");
        assertThat(columns(BucketClass.class))
                .containsExactly("Provisioner", "Protocol", "Default", "Release-Policy", "Age");
    }

    @Test
    void objectBucketAndCosiDefinitionsAreSeparate() {
        assertThat(Crds.yaml(Crds.OBJECT_BUCKET_KINDS)).doesNotContain("group: cosi.io");
        assertThat(Crds.yaml(Crds.COSI_KINDS)).doesNotContain("group: objectbucket.io");
        assertThat(Crds.cosi()).hasSize(6);
    }

    @Test
    void aClassHasItsFieldsAtTheTopLevel() {
        assertThat(Crds.of(BucketClass.class)
                        .getSpec()
                        .getVersions()
                        .getFirst()
                        .getSchema()
                        .getOpenAPIV3Schema()
                        .getProperties())
                .containsOnlyKeys(
                        "provisioner",
                        "isDefaultBucketClass",
                        "protocol",
                        "anonymousAccessMode",
                        "additionalPermittedNamespaces",
                        "releasePolicy",
                        "parameters");
    }

    @Test
    void shortNamesAreUnique() {
        List<String> shortNames = kinds().map(Crds::of)
                .flatMap(crd -> crd.getSpec().getNames().getShortNames().stream())
                .toList();
        assertThat(shortNames).doesNotHaveDuplicates().contains("br", "bc", "bar", "ba", "bac");
    }

    @Test
    void allDefinitionsAreOneStream() {
        assertThat(Crds.yaml(Crds.OBJECT_BUCKET_KINDS).split("(?m)^---$"))
                .hasSameSizeAs(Crds.objectBuckets())
                .allSatisfy(document -> assertThat(document).contains("kind: CustomResourceDefinition"));
    }

    private static Stream<String> columns(Class<? extends CustomResource<?, ?>> kind) {
        return Crds.of(kind).getSpec().getVersions().getFirst().getAdditionalPrinterColumns().stream()
                .map(CustomResourceColumnDefinition::getName);
    }
}
