package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** HMAC keys in the JSON API: {@code /storage/v1/projects/PROJECT/hmacKeys}. */
final class HmacApi {

    private static final int PAGE = 1;

    private final GcsState state;

    HmacApi(GcsState state) {
        this.state = state;
    }

    GcsResponse handle(GcsRequest request) {
        GcsAccount caller = state.bearer(request);
        if (request.path().size() < 5
                || !request.path().get(3).equals(state.project)
                || !request.path().get(4).equals("hmacKeys")) {
            throw GcsProblem.notFound("Not Found");
        }
        if (request.is("POST", 5)) {
            return create(request, caller);
        }
        if (request.is("GET", 5)) {
            return list(request, caller);
        }
        return key(request, caller, request.path().get(5));
    }

    private GcsResponse create(GcsRequest request, GcsAccount caller) {
        request.only("serviceAccountEmail");
        state.require(caller, "storage.hmacKeys.create");
        GcsAccount account = Optional.ofNullable(state.accounts.get(request.require("serviceAccountEmail")))
                .filter(GcsAccount::becomesVisible)
                .orElseThrow(() -> GcsProblem.notFound("The service account does not exist."));
        if (account.hmacKeys.values().stream().filter(key -> !isDeleted(key)).count() >= 10) {
            throw new GcsProblem(400, "invalid", "A service account can have at most 10 HMAC keys.");
        }
        String id = "GOOG1E" + state.randomText(40).toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "Q");
        GcsAccount.HmacKey key = new GcsAccount.HmacKey(state.randomText(30));
        account.hmacKeys.put(id, key);
        ObjectNode shown = JsonNodeFactory.instance.objectNode().put("kind", "storage#hmacKey");
        shown.put("secret", key.secret).set("metadata", metadata(account, id, key));
        return GcsResponse.json(request, shown);
    }

    /** Small pages, so that clients must follow them. */
    private GcsResponse list(GcsRequest request, GcsAccount caller) {
        request.only("serviceAccountEmail", "showDeletedKeys", "maxResults", "pageToken");
        state.require(caller, "storage.hmacKeys.list");
        List<ObjectNode> items = new ArrayList<>();
        state.accounts.values().stream()
                .filter(account -> request.text("serviceAccountEmail").isEmpty()
                        || account.email.equals(request.text("serviceAccountEmail")))
                .forEach(account -> account.hmacKeys.forEach((id, key) -> {
                    if (!isDeleted(key) || request.text("showDeletedKeys").equals("true")) {
                        items.add(metadata(account, id, key));
                    }
                }));
        int from = request.number("pageToken").orElse(0);
        int to = Math.min(items.size(), from + PAGE);
        ObjectNode page = JsonNodeFactory.instance.objectNode().put("kind", "storage#hmacKeysMetadata");
        if (from < to) {
            page.putArray("items").addAll(items.subList(from, to));
        }
        if (to < items.size()) {
            page.put("nextPageToken", Integer.toString(to));
        }
        return GcsResponse.json(request, page);
    }

    private GcsResponse key(GcsRequest request, GcsAccount caller, String id) {
        request.only();
        GcsAccount account = state.accounts.values().stream()
                .filter(candidate -> candidate.hmacKeys.containsKey(id))
                .findFirst()
                .orElseThrow(() -> GcsProblem.notFound("Access ID not found in project."));
        GcsAccount.HmacKey key = Optional.ofNullable(account.hmacKeys.get(id)).orElseThrow();
        switch (request.method()) {
            case "GET" -> state.require(caller, "storage.hmacKeys.get");
            case "PUT" -> {
                state.require(caller, "storage.hmacKeys.update");
                JsonNode body = request.json("state", "etag");
                String wanted = body.path("state").asText("");
                if (isDeleted(key) || !(wanted.equals("ACTIVE") || wanted.equals("INACTIVE"))) {
                    throw GcsProblem.invalid("Cannot change the state to " + wanted);
                }
                key.state = wanted;
            }
            case "DELETE" -> {
                state.require(caller, "storage.hmacKeys.delete");
                if (!key.state.equals("INACTIVE")) {
                    throw GcsProblem.invalid("Cannot delete keys in state " + key.state);
                }
                key.state = "DELETED";
                return GcsResponse.empty();
            }
            default -> throw new GcsProblem(405, "httpMethodNotAllowed", "Method not allowed");
        }
        return GcsResponse.json(request, metadata(account, id, key));
    }

    private static boolean isDeleted(GcsAccount.HmacKey key) {
        return key.state.equals("DELETED");
    }

    private ObjectNode metadata(GcsAccount account, String id, GcsAccount.HmacKey key) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", "storage#hmacKeyMetadata")
                .put("accessId", id)
                .put("projectId", state.project)
                .put("serviceAccountEmail", account.email)
                .put("state", key.state);
    }
}
