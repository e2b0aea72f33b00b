package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.TestObjects;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonPatchTest {

    @Test
    void pathsEscapeWhatAnnotationsContain() {
        assertThat(JsonPatch.path("metadata", "annotations", "bucketwright.io/a~b"))
                .isEqualTo("/metadata/annotations/bucketwright.io~1a~0b");
    }

    @Test
    void theTestsOfUidAndVersionComeFirst() {
        JsonPatch patch = JsonPatch.empty().add("/data/x", "y").onlyFor(TestObjects.configMap("a", "u", "5"));
        assertThat(patch.operations())
                .containsExactly(
                        Map.of("op", "test", "path", "/metadata/uid", "value", "u"),
                        Map.of("op", "test", "path", "/metadata/resourceVersion", "value", "5"),
                        Map.of("op", "add", "path", "/data/x", "value", "y"));
    }
}
