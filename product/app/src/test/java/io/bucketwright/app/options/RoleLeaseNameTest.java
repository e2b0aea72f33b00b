package io.bucketwright.app.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Processes share a Lease if, and only if, they do the same work. */
class RoleLeaseNameTest {

    private static final String USUAL = RoleLeaseName.DEFAULT_PROVISIONER;

    @Test
    void theDefaultHasThePlainName() {
        assertThat(RoleLeaseName.of("buckets", USUAL, USUAL, "")).isEqualTo("bucketwright-buckets");
    }

    @Test
    void whateverIsServedInsteadHasANameOfItsOwn() {
        assertThat(List.of(
                        RoleLeaseName.of("buckets", USUAL, USUAL, ""),
                        RoleLeaseName.of("buckets", USUAL, USUAL, "team"),
                        RoleLeaseName.of("buckets", "azure.example.com/bucket", USUAL, ""),
                        RoleLeaseName.of("buckets", "azure.example.com/bucket", USUAL, "team"),
                        RoleLeaseName.of("orphans", "azure.example.com/bucket", USUAL, "")))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("bucketwright-(buckets|orphans)(-[0-9a-f]{8})?"));
        assertThat(RoleLeaseName.of("buckets", "azure.example.com/bucket", USUAL, ""))
                .as("the same in every process and version")
                .isEqualTo(RoleLeaseName.of("buckets", "azure.example.com/bucket", USUAL, ""))
                .isEqualTo("bucketwright-buckets-426ecc51");
    }

    @Test
    void settingsAreReadFromTheArgumentsOfADeployment() {
        assertThat(PublishedSettings.of(List.of(
                        "controller",
                        "--only=buckets",
                        "--provisioner=azure.example.com/bucket",
                        "--store=azure",
                        "--class-default=storageAccount=photos",
                        "--namespace=team")))
                .isEqualTo(Optional.of(new PublishedSettings(
                        "azure.example.com/bucket", "azure", Map.of("storageAccount", "photos"), "team")));
        assertThat(PublishedSettings.of(List.of("controller", "--only=orphans", "--provisioner=a/b")))
                .isEmpty();
    }

    @Test
    void settingsOverlapUnlessProvisionersOrNamespacesDiffer() {
        PublishedSettings everywhere = new PublishedSettings("a/b", "s3", Map.of(), "");
        PublishedSettings team = new PublishedSettings("a/b", "s3", Map.of(), "team");
        assertThat(everywhere.overlaps(team)).isTrue();
        assertThat(team.overlaps(everywhere)).isTrue();
        assertThat(team.overlaps(new PublishedSettings("a/b", "s3", Map.of(), "other")))
                .isFalse();
        assertThat(everywhere.overlaps(new PublishedSettings("a/c", "s3", Map.of(), "")))
                .isFalse();
    }
}
