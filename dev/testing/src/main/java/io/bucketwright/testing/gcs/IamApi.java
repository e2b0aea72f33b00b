package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Service accounts and their keys in the IAM API: {@code /v1/projects/PROJECT/serviceAccounts}. */
final class IamApi {

    private static final int MOST_BYTES_OF_A_NAME = 100;
    private static final int MOST_BYTES_OF_A_DESCRIPTION = 256;

    private final GcsState state;
    private final AccountKeyPairs pairs;

    IamApi(GcsState state, AccountKeyPairs pairs) {
        this.state = state;
        this.pairs = pairs;
    }

    /** Errors of this API have a status instead of a reason. */
    GcsResponse handle(GcsRequest request) {
        try {
            return respond(request);
        } catch (GcsProblem problem) {
            String status = switch (problem.status()) {
                case 400 -> "INVALID_ARGUMENT";
                case 401 -> "UNAUTHENTICATED";
                case 403 -> "PERMISSION_DENIED";
                case 404 -> "NOT_FOUND";
                case 409 -> "ALREADY_EXISTS";
                case 429 -> "RESOURCE_EXHAUSTED";
                default -> "UNKNOWN";
            };
            ObjectNode error = JsonNodeFactory.instance.objectNode();
            error.putObject("error")
                    .put("code", problem.status())
                    .put("message", problem.getMessage())
                    .put("status", status);
            return GcsResponse.json(error).withStatus(problem.status());
        }
    }

    private GcsResponse respond(GcsRequest request) {
        GcsAccount caller = state.bearer(request);
        if (request.path().size() < 4
                || !request.path().get(2).equals(state.project)
                || !request.path().get(3).equals("serviceAccounts")) {
            throw GcsProblem.notFound("Not Found");
        }
        if (request.is("POST", 4)) {
            return create(request, caller);
        }
        String name = request.path().get(4);
        int colon = name.indexOf(':');
        String email = colon < 0 ? name : name.substring(0, colon);
        if (request.path().size() > 5) {
            return keys(request, caller, email);
        }
        request.only();
        return colon < 0 ? account(request, caller, email) : toggle(request, caller, email, name.substring(colon + 1));
    }

    private GcsResponse create(GcsRequest request, GcsAccount caller) {
        request.only();
        JsonNode body = request.json("accountId", "serviceAccount");
        JsonNode given = body.path("serviceAccount");
        GcsRequest.checkFields(given, "displayName", "description");
        String id = body.path("accountId").asText("");
        String displayName = given.path("displayName").asText("");
        String description = given.path("description").asText("");
        state.require(caller, "iam.serviceAccounts.create");
        if (!id.matches("[a-z]([-a-z0-9]{4,28}[a-z0-9])")
                || bytes(displayName) > MOST_BYTES_OF_A_NAME
                || bytes(description) > MOST_BYTES_OF_A_DESCRIPTION) {
            throw GcsProblem.invalid("Invalid service account.");
        }
        String email = id + "@" + state.project + ".iam.gserviceaccount.com";
        if (state.accounts.containsKey(email)) {
            throw new GcsProblem(409, "", "Service account " + id + " already exists within project.");
        }
        // One of them is the administrator.
        if (state.accounts.size() > state.mostAccounts) {
            throw new GcsProblem(429, "", "Maximum number of service accounts on project reached.");
        }
        GcsAccount account = new GcsAccount(email, Long.toString(state.nextNumber()), displayName, description);
        account.invisibleFor = state.newAccountsInvisibleFor;
        state.accounts.put(email, account);
        return GcsResponse.json(shown(account));
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private GcsAccount account(String email) {
        return Optional.ofNullable(state.accounts.get(email))
                .orElseThrow(() -> GcsProblem.notFound("Unknown service account"));
    }

    private GcsResponse account(GcsRequest request, GcsAccount caller, String email) {
        return switch (request.method()) {
            case "GET" -> {
                state.require(caller, "iam.serviceAccounts.get");
                yield GcsResponse.json(shown(account(email)));
            }
            case "DELETE" -> {
                state.require(caller, "iam.serviceAccounts.delete");
                GcsAccount account = account(email);
                state.accounts.remove(email);
                state.forgetMember(account);
                yield GcsResponse.json(JsonNodeFactory.instance.objectNode());
            }
            default -> throw GcsProblem.notFound("Not Found");
        };
    }

    private GcsResponse toggle(GcsRequest request, GcsAccount caller, String email, String verb) {
        if (!request.method().equals("POST") || !(verb.equals("enable") || verb.equals("disable"))) {
            throw GcsProblem.notFound("Not Found");
        }
        JsonNode _ = request.json();
        state.require(caller, "iam.serviceAccounts." + verb);
        account(email).disabled = verb.equals("disable");
        return GcsResponse.json(JsonNodeFactory.instance.objectNode());
    }

    private GcsResponse keys(GcsRequest request, GcsAccount caller, String email) {
        if (request.is("POST", 6)) {
            request.only();
            JsonNode body = request.json("privateKeyType", "keyAlgorithm");
            state.require(caller, "iam.serviceAccountKeys.create");
            if (!body.path("privateKeyType").asText("").equals("TYPE_GOOGLE_CREDENTIALS_FILE")) {
                throw GcsProblem.invalid("Only credentials files are supported.");
            }
            GcsAccount account = Optional.of(account(email))
                    .filter(GcsAccount::becomesVisible)
                    .orElseThrow(() -> GcsProblem.notFound("Unknown service account"));
            String file = pairs.issue(state, account);
            String id = account.keys.keySet().stream().toList().getLast();
            return GcsResponse.json(JsonNodeFactory.instance
                    .objectNode()
                    .put("name", name(email, id))
                    .put("privateKeyType", "TYPE_GOOGLE_CREDENTIALS_FILE")
                    .put("privateKeyData", Base64.getEncoder().encodeToString(file.getBytes(StandardCharsets.UTF_8))));
        }
        if (request.is("GET", 6)) {
            request.only("keyTypes");
            state.require(caller, "iam.serviceAccountKeys.list");
            ObjectNode page = JsonNodeFactory.instance.objectNode();
            ArrayNode keys = JsonNodeFactory.instance.arrayNode();
            GcsAccount account = account(email);
            account.keys.keySet().forEach(id -> keys.addObject().put("name", name(email, id)));
            if (!request.text("keyTypes").equals("USER_MANAGED")) {
                keys.addObject().put("name", name(email, "managed-by-google"));
            }
            if (!keys.isEmpty()) {
                page.set("keys", keys);
            }
            return GcsResponse.json(page);
        }
        if (request.is("DELETE", 7)) {
            request.only();
            state.require(caller, "iam.serviceAccountKeys.delete");
            if (account(email).keys.remove(request.path().get(6)) == null) {
                throw GcsProblem.notFound("Unknown key");
            }
            return GcsResponse.json(JsonNodeFactory.instance.objectNode());
        }
        throw GcsProblem.notFound("Not Found");
    }

    private String name(String email, String id) {
        return "projects/" + state.project + "/serviceAccounts/" + email + "/keys/" + id;
    }

    private ObjectNode shown(GcsAccount account) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", "projects/" + state.project + "/serviceAccounts/" + account.email)
                .put("projectId", state.project)
                .put("uniqueId", account.uniqueId)
                .put("email", account.email)
                .put("displayName", account.displayName)
                .put("description", account.description)
                .put("disabled", account.disabled);
    }
}
