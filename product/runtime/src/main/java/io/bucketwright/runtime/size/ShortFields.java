package io.bucketwright.runtime.size;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Copies the short fields of a spec or status, as many as fit into a budget. Of a list it copies the last elements: there are
 * the conditions that our controllers write.
 */
final class ShortFields {

    /** For all scalars directly in the spec or status: names of other objects, ids, phases. */
    private static final int SCALARS = 6 << 10;

    /** For each list or map in it, such as the conditions. */
    private static final int COLLECTION = 5 << 10;

    private static final int MOST_COLLECTIONS = 4;
    private static final int LAST_ELEMENTS = 3;
    private static final int LONGEST_TEXT = 2048;
    private static final int DEEPEST = 4;

    /** What a value costs beside its text. */
    private static final int OVERHEAD = 128;

    private record Element(JsonNode node, int cost) {}

    private final JsonNodeFactory nodes;
    private int left;

    private ShortFields(JsonNodeFactory nodes, int budget) {
        this.nodes = nodes;
        this.left = budget;
    }

    /** Copies the object that the parser is at. */
    static ObjectNode of(JsonParser parser, JsonNodeFactory nodes) throws IOException {
        ObjectNode copy = nodes.objectNode();
        ShortFields scalars = new ShortFields(nodes, SCALARS);
        int collections = 0;
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            boolean collection = parser.nextToken().isStructStart();
            collections += collection ? 1 : 0;
            ShortFields budget =
                    !collection ? scalars : new ShortFields(nodes, collections <= MOST_COLLECTIONS ? COLLECTION : 0);
            budget.copy(field, parser, copy, 1);
        }
        return copy;
    }

    private void copy(String field, JsonParser parser, ObjectNode into, int depth) throws IOException {
        Optional<JsonNode> value = spend(field.length()) ? copy(parser, depth) : skipped(parser);
        value.ifPresent(node -> into.set(field, node));
    }

    private Optional<JsonNode> copy(JsonParser parser, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (depth > DEEPEST || !spend(token == JsonToken.VALUE_STRING ? parser.getTextLength() : 0)) {
            return skipped(parser);
        }
        return switch (token) {
            case START_OBJECT -> {
                ObjectNode copy = nodes.objectNode();
                for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                    parser.nextToken();
                    copy(field, parser, copy, depth + 1);
                }
                yield Optional.of(copy);
            }
            case START_ARRAY -> Optional.of(lastElements(parser, depth));
            case VALUE_STRING -> Optional.of(nodes.textNode(parser.getText()));
            case VALUE_TRUE, VALUE_FALSE -> Optional.of(nodes.booleanNode(token == JsonToken.VALUE_TRUE));
            case VALUE_NUMBER_INT -> Optional.of(nodes.numberNode(parser.getLongValue()));
            default -> Optional.empty();
        };
    }

    private ArrayNode lastElements(JsonParser parser, int depth) throws IOException {
        Deque<Element> last = new ArrayDeque<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (last.size() == LAST_ELEMENTS) {
                left += last.removeFirst().cost();
            }
            int before = left;
            Optional<JsonNode> copy = copy(parser, depth + 1);
            copy.ifPresent(node -> last.addLast(new Element(node, before - left)));
        }
        ArrayNode copy = nodes.arrayNode();
        last.forEach(element -> copy.add(element.node()));
        return copy;
    }

    private static Optional<JsonNode> skipped(JsonParser parser) throws IOException {
        parser.skipChildren();
        return Optional.empty();
    }

    /** Whether the value is short enough and fits. */
    private boolean spend(int length) {
        if (length > LONGEST_TEXT || left < length + OVERHEAD) {
            return false;
        }
        left -= length + OVERHEAD;
        return true;
    }
}
