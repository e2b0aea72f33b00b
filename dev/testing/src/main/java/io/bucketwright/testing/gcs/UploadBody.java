package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The object in the body of an upload.
 *
 * @param data each character is a byte
 */
record UploadBody(String name, String data) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern BOUNDARY =
            Pattern.compile("multipart/related;\\s*boundary=\"?([^\"]{1,70})\"?", Pattern.CASE_INSENSITIVE);
    private static final String BLANK_LINE = "\r\n\r\n";

    /** A body of two parts: the metadata in JSON, and the content. */
    static UploadBody ofParts(GcsRequest request) {
        Matcher type = BOUNDARY.matcher(request.header("Content-Type"));
        if (!type.matches()) {
            throw new GcsProblem(400, "badContent", "Unsupported content with type: " + request.header("Content-Type"));
        }
        String[] parts = ("\r\n" + request.body()).split(Pattern.quote("\r\n--" + type.group(1)), -1);
        if (parts.length != 4 || !parts[0].isEmpty() || !parts[3].startsWith("--")) {
            throw new GcsProblem(400, "badContent", "Malformed multipart body.");
        }
        JsonNode metadata = metadata(content(parts[1]));
        GcsRequest.checkFields(metadata, "name", "contentType", "crc32c");
        String name = metadata.path("name").asText("");
        if (name.isEmpty()) {
            throw new GcsProblem(400, "required", "Required parameter: name");
        }
        UploadBody upload = new UploadBody(name, content(parts[2]));
        String checksum = metadata.path("crc32c").asText("");
        if (!checksum.isEmpty() && !checksum.equals(upload.checksum())) {
            throw GcsProblem.invalid("Provided CRC32C \"" + checksum + "\" doesn't match calculated CRC32C.");
        }
        return upload;
    }

    private String checksum() {
        CRC32C checksum = new CRC32C();
        checksum.update(data.getBytes(StandardCharsets.ISO_8859_1));
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES)
                .putInt((int) checksum.getValue())
                .array();
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static JsonNode metadata(String json) {
        try {
            return JSON.readTree(new String(json.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new GcsProblem(400, "parseError", "Parse Error");
        }
    }

    private static String content(String part) {
        int blank = part.indexOf(BLANK_LINE);
        if (blank < 0) {
            throw new GcsProblem(400, "badContent", "Malformed multipart body.");
        }
        return part.substring(blank + BLANK_LINE.length());
    }
}
