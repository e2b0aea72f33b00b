package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.access.BucketOwner;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OwnershipTagsTest {

    private static final BucketOwner OWNER = new BucketOwner("cluster-1", "0a1b2c3d-0000-4000-8000-000000000001");

    /** Golden: existing buckets have these tags. They must stay readable. */
    private static final Map<String, String> VERSION_1 = Map.of(
            "bucketwright.io/version", "1",
            "bucketwright.io/cluster", "cluster-1",
            "bucketwright.io/owner", "0a1b2c3d-0000-4000-8000-000000000001");

    @Test
    void theFirstVersionIsParsedAndWritten() {
        assertThat(OwnershipTags.read(VERSION_1)).isEqualTo(new OwnershipTags.Owned(OWNER));
        assertThat(new OwnershipTags.Owned(OWNER).tags()).isEqualTo(VERSION_1);
    }

    @Test
    void writtenTagsAreReadBack() {
        for (OwnershipTags tags : new OwnershipTags[] {
            new OwnershipTags.Owned(OWNER), new OwnershipTags.Released(OWNER), new OwnershipTags.Adopted(OWNER)
        }) {
            assertThat(OwnershipTags.read(tags.tags())).isEqualTo(tags);
        }
    }

    @Test
    void ownershipTagsAreReplacedAndOtherTagsKept() {
        Map<String, String> tags = new OwnershipTags.Owned(OWNER).mergedInto(Map.of("team", "blue"));
        assertThat(new OwnershipTags.Released(OWNER).mergedInto(tags))
                .containsEntry("team", "blue")
                .containsEntry("bucketwright.io/released", OWNER.uid())
                .doesNotContainKey("bucketwright.io/owner");
    }

    @Test
    void otherTagsAreNoOwnershipTags() {
        assertThat(OwnershipTags.read(Map.of())).isEqualTo(new OwnershipTags.Untagged());
        assertThat(OwnershipTags.read(Map.of("team", "blue"))).isEqualTo(new OwnershipTags.Untagged());
    }

    @Test
    void newerOrMalformedTagsAreUnreadable() {
        OwnershipTags unreadable = new OwnershipTags.Unreadable();
        assertThat(OwnershipTags.read(Map.of("bucketwright.io/version", "2", "bucketwright.io/owner", "x")))
                .isEqualTo(unreadable);
        assertThat(OwnershipTags.read(Map.of("bucketwright.io/owner", OWNER.uid())))
                .isEqualTo(unreadable);
        assertThat(OwnershipTags.read(Map.of("bucketwright.io/version", "1", "bucketwright.io/owner", "x")))
                .isEqualTo(unreadable);
        assertThat(OwnershipTags.read(Map.of(
                        "bucketwright.io/version", "1",
                        "bucketwright.io/cluster", "c",
                        "bucketwright.io/owner", "x",
                        "bucketwright.io/released", "x")))
                .isEqualTo(unreadable);
    }
}
