package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.runtime.json.ObjectDecoder;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decodes objects although one of them does not fit its class: of that one only the metadata. It must not hide the others. */
final class LenientObjects<T extends HasMetadata> {

    private static final Logger log = LoggerFactory.getLogger(LenientObjects.class);

    private final String plural;
    private final ObjectDecoder<T> decoder;
    private final AtomicReference<String> logged = new AtomicReference<>("");

    LenientObjects(String plural, ObjectDecoder<T> decoder) {
        this.plural = plural;
        this.decoder = decoder;
    }

    /** Empty if not even the metadata can be decoded. */
    Optional<T> decode(JsonNode tree) throws IOException {
        try {
            return Optional.of(decoder.decode(tree));
        } catch (JsonMappingException e) {
            String name = InformerStore.key(
                    tree.at("/metadata/namespace").asText(""),
                    tree.at("/metadata/name").asText(""));
            warn(name, "is used without its content", e);
            return decodeMetadata(name, tree);
        }
    }

    private Optional<T> decodeMetadata(String name, JsonNode tree) throws IOException {
        try {
            return Optional.of(decoder.decodeMetadata(tree));
        } catch (JsonMappingException e) {
            warn(name, "is ignored", e);
            return Optional.empty();
        }
    }

    /** Once, as long as it is the same object. */
    private void warn(String name, String effect, JsonMappingException problem) {
        // Without the source: it may be the content of a Secret.
        String sentence = SafeText.line(name) + " cannot be decoded and " + effect;
        if (!sentence.equals(logged.getAndSet(sentence))) {
            log.warn("{} {}: {}", plural, sentence, problem.getPathReference());
        }
    }
}
