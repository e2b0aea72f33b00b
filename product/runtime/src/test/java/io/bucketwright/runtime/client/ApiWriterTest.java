package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.TestObjects;
import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.json.LenientValues;
import io.bucketwright.runtime.json.ObjectHeader;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a writer makes of a response. */
class ApiWriterTest {

    private static final JsonCodec CODEC = new JsonCodec(LenientValues.mapper());

    private final List<String> heard = new ArrayList<>();
    private final ConfigMap observed = TestObjects.configMap("a", "u1", "11");

    @Test
    void aResponseThatAWatchHasShownAlreadyIsNotDecodedAgain() {
        ConfigMap written = writer(TestObjects.configMap("a", "u1", "11"))
                .merge(TestObjects.configMap("a", "u1", "10"), Map.of("data", Map.of("k", "v")));
        assertThat(written).isSameAs(observed);
        assertThat(heard).containsExactly("written 11");
    }

    @Test
    void aResponseOfAnotherVersionOrObjectIsDecoded() {
        assertThat(writer(TestObjects.configMap("a", "u1", "12")).merge(observed, Map.of()))
                .isNotSameAs(observed);
        assertThat(writer(TestObjects.configMap("a", "u2", "11")).create(TestObjects.configMap("a", "u2", "10")))
                .isNotSameAs(observed);
        assertThat(heard).containsExactly("written 12", "written 11");
    }

    /** The removal of the last finalizer is answered so: what a watch showed in that version still has the finalizer. */
    @Test
    void aResponseInTheVersionThatWasSentIsDecoded() {
        assertThat(writer(TestObjects.configMap("a", "u1", "11")).merge(observed, Map.of()))
                .isNotSameAs(observed);
    }

    @Test
    void aDeletedObjectIsWrittenWhileAFinalizerIsLeftAndDeletedAfterwards() {
        ConfigMap waiting = TestObjects.configMap("a", "u1", "12");
        waiting.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        waiting.getMetadata().setFinalizers(List.of("example.org/wait"));
        writer(waiting).delete(observed);
        waiting.getMetadata().setFinalizers(List.of());
        writer(waiting).delete(observed);
        waiting.getMetadata().setDeletionGracePeriodSeconds(30L);
        writer(waiting).delete(observed);
        answering("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\"}")
                .delete(observed);
        assertThat(heard).containsExactly("written 12", "deleted 11", "written 12", "deleted 11");
    }

    @Test
    void ofAnObjectThatIsTooLargeForTheCachesTheWholeOneIsReplacedInTheVersionThatWasKnown() {
        ConfigMap part = TestObjects.configMap("a", "u1", "10");
        ObjectSize.markTooLarge(part.getMetadata());
        ConfigMap whole = TestObjects.configMap("a", "u1", "11");
        whole.setData(Map.of("k", "v"));
        List<ConfigMap> changed = new ArrayList<>();
        writer(whole).replace(part, read -> {
            changed.add(read);
            return read;
        });
        assertThat(changed.getFirst().getData()).isEqualTo(Map.of("k", "v"));
        assertThat(changed.getFirst().getMetadata().getResourceVersion()).isEqualTo("10");
        assertThatThrownBy(() -> writer(whole).replace(part)).hasMessageContaining("only a part is known");
    }

    private ApiWriter writer(ConfigMap answer) {
        return answering(CODEC.encode(answer));
    }

    private ApiWriter answering(String answer) {
        return new ApiWriter(new Answering(answer), new Listening());
    }

    private record Answering(String answer) implements Transport {
        @Override
        public byte[] send(String what, String method, String path, String contentType, String body) {
            return answer.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] get(String what, String path) {
            return answer.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public JsonCodec json() {
            return CODEC;
        }
    }

    private final class Listening implements WriteListener {
        @Override
        public <T extends HasMetadata> void written(ResourceKind<T> kind, T object) {
            heard.add("written " + object.getMetadata().getResourceVersion());
        }

        @Override
        public <T extends HasMetadata> Optional<T> observed(ResourceKind<T> kind, ObjectHeader header) {
            boolean known = header.equals(new ObjectHeader("ConfigMap", "ns", "a", "u1", "11"));
            return known ? Optional.of(kind.type().cast(observed)) : Optional.empty();
        }

        @Override
        public <T extends HasMetadata> void deleted(ResourceKind<T> kind, T last) {
            heard.add("deleted " + last.getMetadata().getResourceVersion());
        }
    }
}
