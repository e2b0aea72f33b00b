package io.bucketwright.store.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Labels hold every ownership tag without loss. */
final class LabelsTest {

    @ParameterizedTest
    @CsvSource({
        "2f1c9c1e-4a53-4c59-9d0c-5f6c2f0f8a11, team, photos",
        "A.b_C-d, n_s, x.y.z",
        "a, ns, _2",
        "a, ns, claim_2_3",
    })
    void tagsAreTheSameAfterEncodingAndDecoding(String id, String namespace, String name) {
        BucketOwner owner = new BucketOwner(id, id);
        ClaimIdentity claim = new ClaimIdentity(namespace, id, name);
        for (OwnershipTags tags : new OwnershipTags[] {
            new OwnershipTags.Owned(owner, claim),
            new OwnershipTags.Adopted(owner, claim),
            new OwnershipTags.Owned(owner, ClaimIdentity.NONE)
        }) {
            assertValid(Labels.of(tags));
            assertThat(Labels.read(Labels.of(tags))).isEqualTo(tags);
        }
    }

    @Test
    void aLongNameContinuesInFurtherLabels() {
        for (int length = 55; length < 260; length++) {
            ClaimIdentity claim = new ClaimIdentity("n".repeat(63), "uid", "\u00fc." + "a".repeat(length));
            OwnershipTags tags = new OwnershipTags.Owned(new BucketOwner("c", "u"), claim);
            assertValid(Labels.of(tags));
            assertThat(Labels.read(Labels.of(tags))).isEqualTo(tags);
        }
    }

    @Test
    void labelsOfOthersAreNoOwnershipTags() {
        Map<String, String> labels = Map.of("team", "blue", "bucketwright", "x", "team_2", "b_zz");
        assertThat(Labels.read(labels)).isEqualTo(new OwnershipTags.Untagged());
        assertThat(Labels.tags(labels)).isEqualTo(new TreeMap<>(labels));
    }

    @Test
    void damagedLabelsAreUnreadable() {
        Map<String, String> labels =
                new TreeMap<>(Labels.of(new OwnershipTags.Owned(new BucketOwner("C.D", "u"), ClaimIdentity.NONE)));
        labels.put("bucketwright-io_cluster", "_4");
        assertThat(Labels.read(labels)).isEqualTo(new OwnershipTags.Unreadable());
    }

    private static void assertValid(Map<String, String> labels) {
        assertThat(labels).hasSizeLessThan(64).allSatisfy((key, value) -> {
            assertThat(key).matches("[a-z][a-z0-9_-]{0,62}");
            assertThat(value).matches("[a-z0-9_-]{0,63}");
        });
    }
}
