package io.bucketwright.devtools.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.app.command.CommandException;

/**
 * The connection data and keys in the Secret of a BucketAccess, as an application reads them.
 *
 * @param json an object with a spec
 */
record DemoBucketInfo(JsonNode json) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String S3 = "/spec/secretS3";

    static DemoBucketInfo parse(String text) {
        try {
            DemoBucketInfo info = new DemoBucketInfo(JSON.readTree(text));
            if (!info.json.at(S3).isObject()) {
                throw new CommandException("The Secret has no connection data for S3.");
            }
            return info;
        } catch (JsonProcessingException e) {
            // Without the cause: its message may contain a key.
            throw new CommandException("The connection data in the Secret is not valid JSON.");
        }
    }

    DemoApplication application() {
        return new DemoApplication(
                json.at("/spec/bucketName").asText(),
                json.at(S3 + "/endpoint").asText(),
                json.at(S3 + "/region").asText(),
                json.at(S3 + "/accessKeyID").asText(),
                json.at(S3 + "/accessSecretKey").asText());
    }

    /** Without the keys, for the terminal. */
    String redacted() {
        JsonNode copy = json.deepCopy();
        if (copy.at(S3) instanceof ObjectNode keys) {
            keys.put("accessKeyID", "***").put("accessSecretKey", "***");
        }
        return copy.toPrettyString();
    }
}
