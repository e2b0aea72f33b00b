package io.bucketwright.runtime.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JacksonStdImpl;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes texts as Jackson does, and returns one instance for equal ones. Jackson takes it for its own one where it decodes
 * content without a class: with any other, it would do that recursively, and content that is nested deeply would fail.
 */
@JacksonStdImpl
final class SharedTextDeserializer extends StringDeserializer {

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
