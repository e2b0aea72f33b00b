package io.bucketwright.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ObjectDecoderTest {

    private static final String OBJECT = """
            {"kind":"Any","metadata":{"name":"a","namespace":"somewhere","labels":{"l":"v"},
            "managedFields":[{"manager":"kubectl","fieldsV1":{"f:data":{}}}]},"data":{"k":"dmFsdWU="}}""";

    private final ObjectMapper mapper = LenientValues.mapper();

    @Test
    void managedFieldsAreNotDecoded() throws IOException {
        assertThat(decoded(ConfigMap.class, OBJECT).getMetadata().getManagedFields())
                .isEmpty();
    }

    @Test
    void aFieldOfAnotherTypeIsAbsent() throws IOException {
        ConfigMap odd = decoded(ConfigMap.class, OBJECT.replace("\"dmFsdWU=\"", "{\"a\":[1]}"));
        assertThat(odd.getData()).containsEntry("k", null);
        assertThat(odd.getMetadata().getName()).isEqualTo("a");
    }

    @Test
    void textsThatRepeatAreInMemoryOnceButNoValueOfASecret() throws IOException {
        ConfigMap one = decoded(ConfigMap.class, OBJECT);
        ConfigMap other = decoded(ConfigMap.class, OBJECT);
        assertThat(other.getMetadata().getNamespace())
                .isSameAs(one.getMetadata().getNamespace());
        assertThat(other.getMetadata().getLabels().get("l"))
                .isSameAs(one.getMetadata().getLabels().get("l"));
        assertThat(other.getData().get("k")).isSameAs(one.getData().get("k"));

        String secret =
                OBJECT.replace("dmFsdWU=", "c2VjcmV0").replace("\"data\"", "\"stringData\":{\"k\":\"s\"},\"data\"");
        assertThat(decoded(Secret.class, secret).getData().get("k"))
                .isEqualTo("c2VjcmV0")
                .isNotSameAs(decoded(Secret.class, secret).getData().get("k"));
        assertThat(decoded(Secret.class, secret).getStringData().get("k"))
                .isEqualTo("s")
                .isNotSameAs(decoded(Secret.class, secret).getStringData().get("k"));
    }

    /** As the records of our kinds have it. */
    record Named(@JsonSetter(nulls = Nulls.AS_EMPTY) String name) {}

    @Test
    void anAbsentTextIsEmptyWhereTheClassSaysSo() throws IOException {
        assertThat(mapper.readValue("{}", Named.class).name()).isEmpty();
        assertThat(mapper.readValue("{\"name\":null}", Named.class).name()).isEmpty();
        assertThat(mapper.readValue("{\"name\":\"a\"}", Named.class).name()).isEqualTo("a");
    }

    @Test
    void whatIsNoObjectDoesNotFit() {
        assertThatThrownBy(() -> decoded(ConfigMap.class, "[]")).isInstanceOf(JsonMappingException.class);
        assertThatThrownBy(() -> decoded(ConfigMap.class, "{}")).isInstanceOf(JsonMappingException.class);
    }

    private <T extends HasMetadata> T decoded(Class<T> type, String json) throws IOException {
        ObjectDecoder<T> decoder = new ObjectDecoder<>(mapper, type);
        try (JsonParser parser = decoder.parser(json.getBytes(StandardCharsets.UTF_8))) {
            parser.nextToken();
            return decoder.decode(parser);
        }
    }
}
