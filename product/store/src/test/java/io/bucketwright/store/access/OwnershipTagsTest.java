package io.bucketwright.store.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OwnershipTagsTest {

    private static final BucketOwner OWNER = new BucketOwner("cluster-1", "0a1b2c3d-0000-4000-8000-000000000001");

    /** Golden: existing buckets have these tags. They must stay readable. */
    private static final Map<String, String> VERSION_1 = Map.of(
            "bucketwright.io/version", "1",
            "bucketwright.io/cluster", "cluster-1",
            "bucketwright.io/owner", "0a1b2c3d-0000-4000-8000-000000000001");

    @Test
    void theFirstVersionIsParsedAndWritten() {
        assertThat(OwnershipTags.read(VERSION_1)).isEqualTo(new OwnershipTags.Owned(OWNER, ClaimIdentity.NONE));
        assertThat(new OwnershipTags.Owned(OWNER, ClaimIdentity.NONE).tags()).isEqualTo(VERSION_1);
    }

    @Test
    void writtenTagsAreReadBack() {
        for (OwnershipTags tags : new OwnershipTags[] {
            new OwnershipTags.Owned(OWNER, ClaimIdentity.NONE),
            new OwnershipTags.Owned(OWNER, new ClaimIdentity("team", "uid-of-team", "photos"), Reclaim.SUSPEND),
            new OwnershipTags.Released(OWNER, ClaimIdentity.NONE),
            new OwnershipTags.Adopted(OWNER, ClaimIdentity.NONE)
        }) {
            assertThat(OwnershipTags.read(tags.tags())).isEqualTo(tags);
        }
    }

    @Test
    void ownershipTagsAreReplacedAndOtherTagsKept() {
        Map<String, String> tags =
                new OwnershipTags.Owned(OWNER, ClaimIdentity.NONE).mergedInto(Map.of("team", "blue"));
        assertThat(new OwnershipTags.Released(OWNER, ClaimIdentity.NONE).mergedInto(tags))
                .containsEntry("team", "blue")
                .containsEntry("bucketwright.io/released", OWNER.uid())
                .doesNotContainKey("bucketwright.io/owner");
    }

    @Test
    void otherTagsAreNoOwnershipTags() {
        assertThat(OwnershipTags.read(Map.of())).isEqualTo(new OwnershipTags.Untagged());
        assertThat(OwnershipTags.read(Map.of("team", "blue"))).isEqualTo(new OwnershipTags.Untagged());
    }

    @ParameterizedTest
    @CsvSource({
        "bucketwright.io/version, 2",
        "bucketwright.io/version, ''",
        "bucketwright.io/cluster, ''",
        "bucketwright.io/owner, ''",
        "bucketwright.io/released, x"
    })
    void newerOrMalformedTagsAreUnreadable(String key, String value) {
        Map<String, String> tags = new HashMap<>(VERSION_1);
        tags.put(key, value);
        assertThat(OwnershipTags.read(tags)).isEqualTo(new OwnershipTags.Unreadable());
        if (value.isEmpty()) {
            tags.remove(key);
            assertThat(OwnershipTags.read(tags)).isEqualTo(new OwnershipTags.Unreadable());
        }
    }
}
