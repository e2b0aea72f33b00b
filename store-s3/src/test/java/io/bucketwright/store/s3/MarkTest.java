package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.access.BucketOwner;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MarkTest {

    private static final BucketOwner OWNER = new BucketOwner("cluster-1", "0a1b2c3d-0000-4000-8000-000000000001");

    /** Golden: what buckets out there bear. Read for ever. */
    private static final Map<String, String> VERSION_1 = Map.of(
            "bucketwright.io/version", "1",
            "bucketwright.io/cluster", "cluster-1",
            "bucketwright.io/owner", "0a1b2c3d-0000-4000-8000-000000000001");

    @Test
    void theFirstVersionIsReadAndWritten() {
        assertThat(Mark.read(VERSION_1)).isEqualTo(new Mark.Owned(OWNER));
        assertThat(new Mark.Owned(OWNER).tags()).isEqualTo(VERSION_1);
    }

    @Test
    void everyMarkIsReadAsItWasWritten() {
        for (Mark mark : new Mark[] {new Mark.Owned(OWNER), new Mark.Released(OWNER), new Mark.Adopted(OWNER)}) {
            assertThat(Mark.read(mark.tags())).isEqualTo(mark);
        }
    }

    @Test
    void aMarkReplacesAMarkAndSparesOtherTags() {
        Map<String, String> tags = new Mark.Owned(OWNER).on(Map.of("team", "blue"));
        assertThat(new Mark.Released(OWNER).on(tags))
                .containsEntry("team", "blue")
                .containsEntry("bucketwright.io/released", OWNER.uid())
                .doesNotContainKey("bucketwright.io/owner");
    }

    @Test
    void tagsOfOthersAreNoMark() {
        assertThat(Mark.read(Map.of())).isEqualTo(new Mark.Unmarked());
        assertThat(Mark.read(Map.of("team", "blue"))).isEqualTo(new Mark.Unmarked());
    }

    @Test
    void aNewerOrBrokenMarkIsNobodysWeKnow() {
        Mark unreadable = new Mark.Unreadable();
        assertThat(Mark.read(Map.of("bucketwright.io/version", "2", "bucketwright.io/owner", "x")))
                .isEqualTo(unreadable);
        assertThat(Mark.read(Map.of("bucketwright.io/owner", OWNER.uid()))).isEqualTo(unreadable);
        assertThat(Mark.read(Map.of("bucketwright.io/version", "1", "bucketwright.io/owner", "x")))
                .isEqualTo(unreadable);
        assertThat(Mark.read(Map.of(
                        "bucketwright.io/version", "1",
                        "bucketwright.io/cluster", "c",
                        "bucketwright.io/owner", "x",
                        "bucketwright.io/released", "x")))
                .isEqualTo(unreadable);
    }
}
