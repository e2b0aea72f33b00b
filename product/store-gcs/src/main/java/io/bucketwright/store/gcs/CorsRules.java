package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeSet;

/** Translates CORS rules from the JSON format of the S3 API, {@code {"CORSRules": [...]}}, to those of Cloud Storage. */
final class CorsRules {

    private CorsRules() {}

    /** The field {@code cors} of a bucket. */
    static ArrayNode of(String text) {
        ArrayNode rules = JsonNodeFactory.instance.arrayNode();
        for (OptionJson rule : OptionJson.of("cors", text).rules("CORSRules")) {
            rule.only("ID", "AllowedHeaders", "AllowedMethods", "AllowedOrigins", "ExposeHeaders", "MaxAgeSeconds");
            ObjectNode translated = rules.addObject();
            rule.texts("AllowedOrigins").forEach(translated.putArray("origin")::add);
            rule.texts("AllowedMethods").forEach(translated.putArray("method")::add);
            // One list here has both the headers of requests and those of responses.
            TreeSet<String> headers = new TreeSet<>(rule.texts("AllowedHeaders"));
            headers.addAll(rule.texts("ExposeHeaders"));
            if (!headers.isEmpty()) {
                headers.forEach(translated.putArray("responseHeader")::add);
            }
            rule.find("MaxAgeSeconds").ifPresent(seconds -> translated.put("maxAgeSeconds", seconds.number()));
        }
        return rules;
    }
}
