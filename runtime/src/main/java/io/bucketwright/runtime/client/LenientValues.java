package io.bucketwright.runtime.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a field whose value has another JSON type than expected as absent. A schema that preserves unknown fields admits
 * such values, and one object that cannot be deserialized would fail the list of all objects of that kind.
 */
final class LenientValues extends DeserializationProblemHandler {

    static KubernetesSerialization serialization() {
        ObjectMapper mapper = new ObjectMapper();
        mapper.addHandler(new LenientValues());
        return new KubernetesSerialization(mapper, true);
    }

    @Override
    public @Nullable Object handleUnexpectedToken(
            DeserializationContext context, JavaType type, JsonToken token, JsonParser parser, String message)
            throws IOException {
        parser.skipChildren();
        return null;
    }

    @Override
    public @Nullable Object handleWeirdStringValue(
            DeserializationContext context, Class<?> type, String value, String message) {
        return null;
    }

    @Override
    public @Nullable Object handleWeirdNumberValue(
            DeserializationContext context, Class<?> type, Number value, String message) {
        return null;
    }

    @Override
    public @Nullable Object handleMissingInstantiator(
            DeserializationContext context,
            Class<?> type,
            ValueInstantiator instantiator,
            JsonParser parser,
            String message)
            throws IOException {
        parser.skipChildren();
        return null;
    }
}
