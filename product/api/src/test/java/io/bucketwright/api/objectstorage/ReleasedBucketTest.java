package io.bucketwright.api.objectstorage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReleasedBucketTest {

    /** A method that begins with "is" is a field for the serializer, and then nobody can read the object. */
    @Test
    void whatItsRecordSaysIsNoFieldOfABucket() {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("photos")
                .withUid("uid-1")
                .withAnnotations(Map.of(ReleasedNames.BUCKET_UID, "uid-1"))
                .build());
        String json = Serialization.asJson(bucket);
        assertThat(json).doesNotContain("recorded", "restored", "confirmed");
        assertThat(Serialization.unmarshal(json, ReleasedBucket.class).isRecorded())
                .isTrue();
    }
}
