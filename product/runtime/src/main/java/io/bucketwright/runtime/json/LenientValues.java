package io.bucketwright.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JacksonStdImpl;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.Map;
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

    /** For the mapper: the texts of all objects are shared, but a value of a Secret is in memory only as long as its object. */
    abstract static class OwnSecretValues {

        @JsonDeserialize(contentUsing = StringDeserializer.class)
        abstract void setData(Map<String, String> data);

        @JsonDeserialize(contentUsing = StringDeserializer.class)
        abstract void setStringData(Map<String, String> data);
    }

    /**
     * Decodes texts as Jackson does, and returns one instance for equal ones. Jackson takes it for its own one where it decodes
     * content without a class: with any other, it would do that recursively, and content that is nested deeply would fail.
     */
    @JacksonStdImpl
    private static final class SharedTextDeserializer extends StringDeserializer {

        private static final long serialVersionUID = 1;

        private final transient SharedTexts texts;

        SharedTextDeserializer(SharedTexts texts) {
            this.texts = texts;
        }

        @Override
        public @Nullable String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            @Nullable String text = super.deserialize(parser, context);
            return text == null ? null : texts.of(text);
        }
    }

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
        // Configures the mapper for objects of Kubernetes. Callers pass the class of each object, so the class path
        // is not searched for kinds.
        KubernetesSerialization _ = new KubernetesSerialization(mapper, false);
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
