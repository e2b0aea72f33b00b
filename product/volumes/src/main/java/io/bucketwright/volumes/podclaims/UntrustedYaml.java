package io.bucketwright.volumes.podclaims;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bucketwright.runtime.objects.SafeText;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Parses YAML or JSON from an untrusted author. Aliases, tags, deep nesting and long texts are rejected while the text is
 * still a stream of events: a few lines of them can otherwise exhaust memory or stack.
 */
final class UntrustedYaml {

    /** Far more than any claim; all annotations of an object together may have 256 KiB. */
    private static final int MAX_LENGTH = 64 * 1024;

    private static final int MAX_DEPTH = 32;

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private UntrustedYaml() {}

    /** The one mapping that the text contains. */
    static Map<?, ?> mapping(String text) throws InvalidTemplateException {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidTemplateException(
                    "it has " + text.length() + " characters, more than the allowed " + MAX_LENGTH);
        }
        Object content;
        try {
            content = isJson(text) ? JSON.readValue(text, Map.class) : yaml(text);
        } catch (YamlEngineException | JacksonException e) {
            throw new InvalidTemplateException(
                    "it is not valid YAML or JSON: " + SafeText.line(String.valueOf(e.getMessage())));
        }
        if (content instanceof Map<?, ?> mapping) {
            return mapping;
        }
        throw new InvalidTemplateException("it is not an object with fields");
    }

    /** JSON is YAML, except that it may be indented with tabs. */
    private static boolean isJson(String text) {
        if (!text.stripLeading().startsWith("{")) {
            return false;
        }
        try {
            JSON.readTree(text);
            return true;
        } catch (JacksonException e) {
            return false;
        }
    }

    private static Object yaml(String text) throws InvalidTemplateException {
        int documents = 0;
        int depth = 0;
        for (Event event : new Parse(settings()).parseString(text)) {
            switch (event.getEventId()) {
                case DocumentStart -> documents++;
                case Alias -> throw new InvalidTemplateException("it has YAML aliases; write the fields out");
                case SequenceStart, MappingStart -> depth++;
                case SequenceEnd, MappingEnd -> depth--;
                case DocumentEnd, Scalar, Comment, StreamStart, StreamEnd -> {}
            }
            if (documents > 1) {
                throw new InvalidTemplateException("it has several documents; it must be one claim");
            }
            if (depth > MAX_DEPTH) {
                throw new InvalidTemplateException("it is nested more than " + MAX_DEPTH + " levels deep");
            }
            if (isTagged(event)) {
                throw new InvalidTemplateException("it has YAML tags; write plain values");
            }
        }
        return new Load(settings()).loadFromString(text);
    }

    private static boolean isTagged(Event event) {
        return switch (event) {
            case ScalarEvent scalar -> scalar.getTag().isPresent();
            case CollectionStartEvent collection -> collection.getTag().isPresent();
            default -> false;
        };
    }

    private static LoadSettings settings() {
        return LoadSettings.builder()
                .setMaxAliasesForCollections(0)
                .setCodePointLimit(MAX_LENGTH)
                .setAllowDuplicateKeys(false)
                .setAllowNonScalarKeys(false)
                .build();
    }
}
