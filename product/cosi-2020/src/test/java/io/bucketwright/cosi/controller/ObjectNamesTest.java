package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import org.junit.jupiter.api.Test;

class ObjectNamesTest {

    @Test
    void namesAreThoseOfTheDesignInLowerCase() {
        assertThat(ObjectNames.bucket(key("photos", "u"), false)).isEqualTo("bucket-photos-team");
        assertThat(ObjectNames.access(key("viewer", "u"), false)).isEqualTo("bucketaccess-viewer-team");
    }

    @Test
    void aTakenNameGetsAHashOfTheUid() {
        String taken = ObjectNames.bucket(key("photos", "u"), true);
        assertThat(taken).matches("bucket-photos-team-[0-9a-f]{10}");
        assertThat(ObjectNames.bucket(key("photos", "v"), true)).isNotEqualTo(taken);
        assertThat(ObjectNames.bucket(key("photos", "u"), true)).isEqualTo(taken);
    }

    @Test
    void aNameThatDoesNotFitIsCutAndStaysLegalAndUnique() {
        String longest = "a".repeat(237) + "." + "b".repeat(15);
        String one = ObjectNames.access(key(longest, "u"), false);
        assertThat(one).hasSizeLessThanOrEqualTo(253).matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
        assertThat(ObjectNames.access(key(longest, "v"), false)).isNotEqualTo(one);
        String dotAtTheCut = ObjectNames.bucket(key("a".repeat(234) + "." + "b".repeat(18), "u"), false);
        assertThat(dotAtTheCut).doesNotContain(".-");
    }

    private static ObjectKey key(String name, String uid) {
        return new ObjectKey("team", name, uid);
    }
}
