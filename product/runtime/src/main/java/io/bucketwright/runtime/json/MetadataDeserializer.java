package io.bucketwright.runtime.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads metadata without reflection: it is half of most objects, and every event and response contains it. The managers of
 * fields are skipped: they are a third of an object, and nobody here reads them.
 */
final class MetadataDeserializer extends StdDeserializer<ObjectMeta> {

    private static final long serialVersionUID = 1;

    private final transient SharedTexts shared;

    MetadataDeserializer(SharedTexts shared) {
        super(ObjectMeta.class);
        this.shared = shared;
    }

    @Override
    public @Nullable ObjectMeta deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (!parser.isExpectedStartObjectToken()) {
            return (ObjectMeta) context.handleUnexpectedToken(ObjectMeta.class, parser);
        }
        ObjectMeta metadata = new ObjectMeta();
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            parser.nextToken();
            switch (field) {
                case "name" -> metadata.setName(text(parser));
                case "namespace" -> metadata.setNamespace(text(parser));
                case "uid" -> metadata.setUid(text(parser));
                case "resourceVersion" -> metadata.setResourceVersion(text(parser));
                case "generation" -> metadata.setGeneration(number(parser));
                case "creationTimestamp" -> metadata.setCreationTimestamp(text(parser));
                case "deletionTimestamp" -> metadata.setDeletionTimestamp(text(parser));
                case "deletionGracePeriodSeconds" -> metadata.setDeletionGracePeriodSeconds(number(parser));
                case "generateName" -> metadata.setGenerateName(text(parser));
                case "labels" -> metadata.setLabels(texts(parser));
                case "annotations" -> metadata.setAnnotations(texts(parser));
                case "finalizers" -> metadata.setFinalizers(list(parser));
                case "ownerReferences" -> metadata.setOwnerReferences(owners(parser));
                case "managedFields" -> parser.skipChildren();
                default -> metadata.setAdditionalProperty(field, context.readValue(parser, Object.class));
            }
        }
        return metadata;
    }

    /** The text of a scalar; null for anything else. */
    private @Nullable String text(JsonParser parser) throws IOException {
        if (parser.hasToken(JsonToken.VALUE_STRING)) {
            return shared.of(parser.getText());
        }
        parser.skipChildren();
        return parser.getValueAsString();
    }

    private static @Nullable Long number(JsonParser parser) throws IOException {
        if (parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
            return parser.getLongValue();
        }
        parser.skipChildren();
        return null;
    }

    private static @Nullable Boolean flag(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        parser.skipChildren();
        return token == JsonToken.VALUE_TRUE ? Boolean.TRUE : token == JsonToken.VALUE_FALSE ? Boolean.FALSE : null;
    }

    private @Nullable Map<String, String> texts(JsonParser parser) throws IOException {
        if (!parser.isExpectedStartObjectToken()) {
            parser.skipChildren();
            return null;
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            parser.nextToken();
            @Nullable String text = text(parser);
            if (text != null) {
                texts.put(key, text);
            }
        }
        return texts;
    }

    private @Nullable List<String> list(JsonParser parser) throws IOException {
        if (!parser.isExpectedStartArrayToken()) {
            parser.skipChildren();
            return null;
        }
        List<String> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            @Nullable String text = text(parser);
            if (text != null) {
                list.add(text);
            }
        }
        return list;
    }

    private @Nullable List<OwnerReference> owners(JsonParser parser) throws IOException {
        if (!parser.isExpectedStartArrayToken()) {
            parser.skipChildren();
            return null;
        }
        List<OwnerReference> owners = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.isExpectedStartObjectToken()) {
                owners.add(owner(parser));
            } else {
                parser.skipChildren();
            }
        }
        return owners;
    }

    private OwnerReference owner(JsonParser parser) throws IOException {
        OwnerReference owner = new OwnerReference();
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            parser.nextToken();
            switch (field) {
                case "apiVersion" -> owner.setApiVersion(text(parser));
                case "kind" -> owner.setKind(text(parser));
                case "name" -> owner.setName(text(parser));
                case "uid" -> owner.setUid(text(parser));
                case "controller" -> owner.setController(flag(parser));
                case "blockOwnerDeletion" -> owner.setBlockOwnerDeletion(flag(parser));
                default -> parser.skipChildren();
            }
        }
        return owner;
    }
}
