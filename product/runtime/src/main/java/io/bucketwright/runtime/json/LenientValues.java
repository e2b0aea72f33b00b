package io.bucketwright.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a field whose value has another JSON type than expected as absent. A schema that preserves unknown fields admits
 * such values, and one object that cannot be deserialized would fail the list of all objects of that kind.
 */
public final class LenientValues extends DeserializationProblemHandler {

    /** As many as threads that decode at the same time. */
    private static final int BUFFERS = 16;

    /** Tenants can nest unknown fields as deeply as the API server allows, which is 10,000 levels. */
    private static final int DEEPEST = 20_000;

    /** No object has more than three mebibytes, so no name of a field has. */
    private static final int LONGEST_NAME = 4 << 20;

    /** A mapper for objects of the API server. */
    public static ObjectMapper mapper() {
        JsonFactory json = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEEPEST)
                        .maxNameLength(LONGEST_NAME)
                        .build())
                // The default pool belongs to a thread, and ours are virtual: each would allocate buffers of its own.
                .recyclerPool(JsonRecyclerPools.newBoundedPool(BUFFERS))
                .build();
        ObjectMapper mapper = new ObjectMapper(json);
        mapper.addHandler(new LenientValues());
        SharedTexts texts = new SharedTexts();
        mapper.addMixIn(Secret.class, OwnSecretValues.class);
        mapper.registerModule(new SimpleModule()
                .addDeserializer(ObjectMeta.class, new MetadataDeserializer(texts))
                .addDeserializer(String.class, new SharedTextDeserializer(texts)));
        return mapper;
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
