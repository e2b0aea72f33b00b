package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.errors.StoreException.Invalid;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class NamesTest {

    @Test
    void theObjectBucketHasTheDocumentedNameWhereThatIsFree() {
        assertThat(BucketObjects.name("team", "photos", "uid-1", false)).isEqualTo("obc-team-photos");
        assertThat(BucketObjects.name("team", "photos", "uid-1", true))
                .startsWith("obc-team-photos-")
                .isNotEqualTo(BucketObjects.name("team", "photos", "uid-2", true));
    }

    @Property(tries = 200)
    void everyObjectBucketNameIsLegal(
            @ForAll @StringLength(min = 1, max = 63) @CharRange(from = 'a', to = 'f') String namespace,
            @ForAll @StringLength(min = 1, max = 253) @CharRange(from = 'a', to = 'f') String claim,
            @ForAll boolean taken) {
        assertThat(BucketObjects.name(namespace, claim, "uid", taken))
                .hasSizeLessThanOrEqualTo(253)
                .matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");
    }

    @Property(tries = 200)
    void everyProvisionersLabelIsLegal(
            @ForAll @StringLength(min = 1, max = 120) @CharRange(from = 'a', to = 'c') String name) {
        assertThat(new ProvisionerName(name + "/b").label())
                .hasSizeLessThanOrEqualTo(63)
                .matches("[a-z0-9]([a-z0-9._-]*[a-z0-9])?");
    }

    @Test
    void aProvisionerNeedsALegalName() {
        assertThatThrownBy(() -> new ProvisionerName("Not OK"))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("Not OK");
    }
}
