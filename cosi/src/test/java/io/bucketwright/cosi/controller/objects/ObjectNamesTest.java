package io.bucketwright.cosi.controller.objects;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObjectNamesTest {

    @Test
    void namesAreThoseOfTheDesignInLowerCase() {
        assertThat(ObjectNames.bucket("team", "photos", "u", false)).isEqualTo("bucket-photos-team");
        assertThat(ObjectNames.access("team", "viewer", "u", false)).isEqualTo("bucketaccess-viewer-team");
    }

    @Test
    void aTakenNameGetsAHashOfTheUid() {
        String taken = ObjectNames.bucket("team", "photos", "u", true);
        assertThat(taken).matches("bucket-photos-team-[0-9a-f]{10}");
        assertThat(ObjectNames.bucket("team", "photos", "v", true)).isNotEqualTo(taken);
        assertThat(ObjectNames.bucket("team", "photos", "u", true)).isEqualTo(taken);
    }

    @Test
    void aNameThatDoesNotFitIsCutAndStaysLegalAndUnique() {
        String longest = "a".repeat(237) + "." + "b".repeat(15);
        String one = ObjectNames.access("team", longest, "u", false);
        assertThat(one).hasSizeLessThanOrEqualTo(253).matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
        assertThat(ObjectNames.access("team", longest, "v", false)).isNotEqualTo(one);
        String dotAtTheCut = ObjectNames.bucket("team", "a".repeat(234) + "." + "b".repeat(18), "u", false);
        assertThat(dotAtTheCut).doesNotContain(".-");
    }
}
