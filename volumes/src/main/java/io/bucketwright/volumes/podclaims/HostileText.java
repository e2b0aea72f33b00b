package io.bucketwright.volumes.podclaims;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML or JSON that anybody may have written. Aliases, tags, deep nesting and sheer size are refused while the text
 * is still a stream of events: a few lines of them can otherwise cost all memory or the stack.
 */
final class HostileText {

    /** Far more than any claim; all annotations of an object together may have 256 KiB. */
    private static final int LONGEST = 64 * 1024;

    private static final int DEEPEST = 32;

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private HostileText() {}

    /** The one mapping that the text holds. */
    static Map<?, ?> mapping(String text) throws UnreadableException {
        if (text.length() > LONGEST) {
            throw new UnreadableException(
                    "it has " + text.length() + " characters, more than the " + LONGEST + " that are read");
        }
        Object content;
        try {
            requireHarmless(text);
            content = isJson(text) ? JSON.readValue(text, Map.class) : new Load(settings()).loadFromString(text);
        } catch (YamlEngineException | JacksonException e) {
            throw new UnreadableException(
                    "it is no valid YAML or JSON: " + Printable.of(String.valueOf(e.getMessage())));
        }
        if (content instanceof Map<?, ?> mapping) {
            return mapping;
        }
        throw new UnreadableException("it is no object with fields");
    }

    /** JSON is YAML, except for the tabs that people indent it with. */
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

    private static void requireHarmless(String text) throws UnreadableException {
        if (isJson(text)) {
            return;
        }
        int documents = 0;
        int depth = 0;
        for (Event event : new Parse(settings()).parseString(text)) {
            switch (event.getEventId()) {
                case DocumentStart -> documents++;
                case Alias -> throw new UnreadableException("it has YAML aliases; write the fields out");
                case SequenceStart, MappingStart -> depth++;
                case SequenceEnd, MappingEnd -> depth--;
                case DocumentEnd, Scalar, Comment, StreamStart, StreamEnd -> {}
            }
            if (documents > 1) {
                throw new UnreadableException("it has several documents; one claim is wanted");
            }
            if (depth > DEEPEST) {
                throw new UnreadableException("it is nested more than " + DEEPEST + " levels deep");
            }
            if (isTagged(event)) {
                throw new UnreadableException("it has YAML tags; write plain values");
            }
        }
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
                .setCodePointLimit(LONGEST)
                .setAllowDuplicateKeys(false)
                .setAllowNonScalarKeys(false)
                .build();
    }
}
