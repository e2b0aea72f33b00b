package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/reference/events-and-conditions.md has every phase and every reason, with the sentence from the code. */
class EventsPageTest {

    private static final GeneratedPage PAGE = GeneratedPage.of("events-and-conditions.md");

    enum Section {
        ALL("common-reasons", "reason", "runtime/runtime/controller/Problem"),
        CLAIM_PHASES("claim-phases", "phase", "api/api/Phase"),
        CLAIM_REASONS("claim-reasons", "reason", "buckets/buckets/objects/ClaimReason"),
        BUCKET_REQUEST("bucket-request-phases", "phase", "api/api/cosi/status/BucketRequestPhase"),
        ACCESS_REQUEST("access-request-phases", "phase", "api/api/cosi/status/BucketAccessRequestPhase"),
        BUCKET("bucket-phases", "phase", "api/api/cosi/status/BucketPhase"),
        ACCESS("access-phases", "phase", "api/api/cosi/status/BucketAccessPhase"),
        COSI("cosi-reasons", "reason", "api/api/cosi/status/CosiReason"),
        SIDECAR("sidecar-reasons", "reason", "api/api/cosi/status/ProvisionerReason"),
        RELEASED("released-reasons", "reason", "api/api/objectstorage/ReleasedReason"),
        PODS("pod-reasons", "reason", "volumes/volumes/podclaims/PodClaimReason"),
        VOLUMES("release-reasons", "reason", "volumes/volumes/releaser/ReleaseReason"),
        DIRECTORIES("directory-reasons", "reason", "volumes/volumes/directories/DirectoryReason");

        private final String name;
        private final String title;
        private final String file;

        Section(String name, String title, String file) {
            this.name = name;
            this.title = title;
            this.file = file;
        }
    }

    /** Names of the golden file that are neither a phase nor a reason: actions of events, kinds, values, words of messages. */
    private static final Set<String> OTHERS = Set.of("""
            Age Associate Attempted Authorization Available Azure Background Bind Block BlockBlob Bucket BucketAccess
            BucketAccessRequest BucketCannedACLAuthenticatedRead BucketCannedACLPrivate BucketCannedACLPublicRead
            BucketCannedACLPublicReadWrite BucketClaim BucketInfo BucketRequest CSIPlugin Canceled ConfigMap
            ContainerCreating Create CreateBucket CreateClaim Delete DeleteBucket Directory DriverGetInfo DriverInfo
            Ephemeral Erase Err Existing False File Filesystem FindOrphans Gi GrantBucketAccess IfNotPresent In Key Ki
            Linking Listing Message Mi NamespaceTerminating New None Normal ObjectBucket ObjectBucketClaim OnFailure
            Opaque Opening Other Patching PersistentVolume PersistentVolumeClaim Phase Pi Pod PodInitializing
            PodScheduled PodVolume Provision ReadWrite Reading Ready Release Removing Renaming Replacing Restore Retain
            RevokeBucketAccess RuntimeDefault SameNamespace Secret Stalled Status Succeeded Suspend Syncing Ti True
            Unschedulable Updating WaitForFirstConsumer Warning Write Writing
            """.strip().split("\\s+", -1));

    @ParameterizedTest
    @EnumSource
    void thePageHasTheNamesOfTheCode(Section section) {
        PAGE.assertSection(section.name, DocumentedConstants.table(section.title, section.file));
    }

    @Test
    void everyNameOfTheGoldenFileIsAPhaseAReasonOrSomethingElse() throws IOException {
        List<String> golden = Files.readAllLines(Path.of("../../dev/devtools/src/test/resources/public-surface.txt"));
        List<String> unknown = new ArrayList<>(
                golden.subList(golden.indexOf("# Reasons, actions, phases, kinds and policies") + 1, golden.size()));
        assertThat(unknown).hasSizeGreaterThan(150);
        unknown.removeIf(String::isBlank);
        Stream.of(Section.values())
                .flatMap(section -> DocumentedConstants.of(section.file).keySet().stream())
                .forEach(unknown::remove);
        unknown.removeAll(OTHERS);
        assertThat(unknown)
                .as(
                        "names that are on no page: a reason belongs to one of %s, with a comment",
                        List.of(Section.values()))
                .isEmpty();
    }
}
