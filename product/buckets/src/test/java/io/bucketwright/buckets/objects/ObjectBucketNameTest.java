package io.bucketwright.buckets.objects;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class ObjectBucketNameTest {

    @Test
    void theObjectBucketHasTheDocumentedNameIfItIsFree() {
        assertThat(ObjectBucketContent.name("team", "photos", "uid-1", false)).isEqualTo("obc-team-photos");
        assertThat(ObjectBucketContent.name("team", "photos", "uid-1", true))
                .startsWith("obc-team-photos-")
                .isNotEqualTo(ObjectBucketContent.name("team", "photos", "uid-2", true));
    }

    @Property(tries = 200)
    void everyObjectBucketNameIsValid(
            @ForAll @StringLength(min = 1, max = 63) @CharRange(from = 'a', to = 'f') String namespace,
            @ForAll @StringLength(min = 1, max = 253) @CharRange(from = 'a', to = 'f') String claim,
            @ForAll boolean taken) {
        assertThat(ObjectBucketContent.name(namespace, claim, "uid", taken))
                .hasSizeLessThanOrEqualTo(253)
                .matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");
    }
}
