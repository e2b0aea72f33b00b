package io.bucketwright.runtime.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Encodes bodies of requests and decodes bodies of responses. */
public final class JsonCodec {

    private final ObjectMapper mapper;
    private final Map<Class<?>, ObjectReader> readers = new ConcurrentHashMap<>();

    /**
     * Uses a mapper.
     *
     * @param mapper that fabric8 has configured for objects of Kubernetes
     */
    public JsonCodec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    public String encode(Object body) {
        try {
            return mapper.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            // Not its message: it may quote the content of a Secret.
            throw new IllegalArgumentException("A " + body.getClass().getSimpleName() + " cannot be encoded as JSON ("
                    + e.getClass().getSimpleName() + ")");
        }
    }

    /** Decodes the whole body. */
    public <T> T decode(byte[] body, Class<T> type) {
        try {
            return readers.computeIfAbsent(type, mapper::readerFor).readValue(body);
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    /** Which object the body is, and in which version. The body loses what nobody reads: see {@link ObjectScanner}. */
    public ObjectHeader header(byte[] body) {
        return ObjectScanner.object(body).orElseGet(() -> parseHeader(body));
    }

    private ObjectHeader parseHeader(byte[] body) {
        try {
            return ObjectHeader.of(mapper.readTree(body));
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    /** Without the message of the parser, which may quote the content of a Secret. */
    private static UncheckedIOException malformed(IOException cause) {
        return new UncheckedIOException(new IOException("The response of the API server cannot be decoded ("
                + cause.getClass().getSimpleName() + ")"));
    }
}
