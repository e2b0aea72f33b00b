package io.bucketwright.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectScannerTest {

    private static final String OBJECT = """
            { "apiVersion" : "v1", "count": -1.5e3, "kind":"ConfigMap","data":{"metadata":{"name":"no"},"q":"\\"}{\\\\"},\
            "metadata":{"annotations":{"name":"no","t":"a\\"b]"},"generation":1,
            "managedFields":[{"manager":"a \\"]} b","fieldsV1":{"f:metadata":{"f:labels":[1,true,null]}}},{"n":{}}],
            "name":"ä","namespace":"ns","ownerReferences":[{"name":"no","uid":"no"}],"resourceVersion":"12","uid":"u1"},\
            "status":{"uid":"no"}}
            """;

    private static final ObjectHeader HEADER = new ObjectHeader("ConfigMap", "ns", "ä", "u1", "12");

    @Test
    void theHeaderOfAnObjectAndOfAnEventIsRead() {
        assertThat(ObjectScanner.object(bytes(OBJECT))).contains(HEADER);
        assertThat(ObjectScanner.event(bytes("{\"type\":\"MODIFIED\",\"object\":" + OBJECT + "}\n")))
                .contains(new ObjectScanner.Event("MODIFIED", HEADER));
        assertThat(ObjectScanner.object(bytes("{\"kind\":\"Status\",\"metadata\":{},\"code\":200}")))
                .contains(new ObjectHeader("Status", "", "", "", ""));
    }

    @Test
    void onlyTheManagersOfFieldsAreOverwritten() throws JsonProcessingException {
        byte[] json = bytes(OBJECT);
        ObjectScanner.object(json);
        JsonNode expected = new ObjectMapper().readTree(OBJECT);
        ((ObjectNode) expected.path("metadata")).putArray("managedFields");
        assertThat(new ObjectMapper().readTree(new String(json, StandardCharsets.UTF_8)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "nonsense",
                "{\"metadata\":7}",
                "{\"metadata\":{\"name\":7}}",
                "{\"metadata\":{\"name\":\"a\\u0062\"}}",
                "{\"kind\":null,\"metadata\":{}}",
                "{\"kind\" \"a\"}",
                "{kind:\"a\"}"
            })
    void whatIsUnusualIsLeftToAParser(String json) {
        assertThat(ObjectScanner.object(bytes(json))).isEmpty();
    }

    @Test
    void anEventWhoseTypeIsNotFirstIsLeftToAParser() {
        assertThat(ObjectScanner.event(bytes("{\"object\":" + OBJECT + ",\"type\":\"ADDED\"}")))
                .isEmpty();
    }

    /** A connection can break anywhere. */
    @Test
    void anIncompleteTextIsLeftToAParserOrHasTheSameHeader() {
        byte[] whole = bytes("{\"type\":\"ADDED\",\"object\":" + OBJECT + "}");
        for (int length = 0; length < whole.length; length++) {
            Optional<ObjectScanner.Event> event = ObjectScanner.event(Arrays.copyOf(whole, length));
            assertThat(event.filter(found -> !found.object().equals(HEADER))).isEmpty();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
