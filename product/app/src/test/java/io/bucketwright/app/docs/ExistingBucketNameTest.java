package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Applications find the name of the Bucket as the name of their bucket in BucketInfo. A documented Bucket for an existing
 * bucket with another name would give them a bucket that does not exist.
 */
class ExistingBucketNameTest {

    @Test
    void aDocumentedBucketForAnExistingBucketHasItsName() throws IOException {
        List<ReleasedBucket> existing = YamlBlock.all().stream()
                .flatMap(block -> Stream.of(block.text().split("(?m)^---$")))
                .filter(text -> text.contains("existingBucketID:") && text.contains("\nkind: Bucket\n"))
                .map(text -> Serialization.unmarshal(text, ReleasedBucket.class))
                .toList();
        assertThat(existing)
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(bucket -> assertThat(bucket.getMetadata().getName())
                        .isEqualTo(bucket.spec().existingBucketID()));
    }
}
