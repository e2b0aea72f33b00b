package io.bucketwright.bench.ceiling;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.bench.http.ApiClient;
import io.bucketwright.bench.http.PlainResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Repeats the recorded writes for one object. One thread uses it at a time. */
final class ObjectReplay {

    private final String name;
    private final List<String> uids = new ArrayList<>();
    private final Map<String, String> versions = new HashMap<>();

    ObjectReplay(String name) {
        this.name = name;
    }

    synchronized void run(ApiClient client, List<CreatedObject> changed, List<WriteTemplate> writes)
            throws IOException {
        changed.forEach(object -> learn(object.path(), object.uid(), object.version()));
        for (WriteTemplate write : writes) {
            send(client, write);
        }
    }

    private void send(ApiClient client, WriteTemplate write) throws IOException {
        String object = WriteTemplate.fill(write.object(), name, uids);
        String path = WriteTemplate.fill(write.path(), name, uids);
        String body = WriteTemplate.fill(write.body(), name, uids)
                .replace(WriteTemplate.VERSION, versions.getOrDefault(object, ""));
        PlainResponse response = client.send(write.method(), path, write.contentType(), body);
        if (response.code() == HttpURLConnection.HTTP_CONFLICT) {
            // Another controller, such as the volume binder, has changed the object meanwhile.
            response = client.send(write.method(), path, write.contentType(), WriteTemplate.unconditional(body));
        }
        if (write.method().equals("DELETE") && response.code() == HttpURLConnection.HTTP_NOT_FOUND) {
            return;
        }
        JsonNode metadata = response.require().json().path("metadata");
        if (metadata.has("resourceVersion") && metadata.has("uid")) {
            learn(
                    object,
                    metadata.path("uid").asText(),
                    metadata.path("resourceVersion").asText());
        }
    }

    private void learn(String object, String uid, String version) {
        if (!uids.contains(uid)) {
            uids.add(uid);
        }
        versions.put(object, version);
    }
}
