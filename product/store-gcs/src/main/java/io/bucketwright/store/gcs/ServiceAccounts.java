package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.TextDigest;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The service accounts of principals. A service account has a short name and no labels: its name is a hash of the owner, and
 * its description is the ownership tag.
 */
record ServiceAccounts(GcsClient client, GcsParameters parameters) {

    private static final String PREFIX = "bw-";
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

    /** With the prefix, 30 characters: the longest name. 135 bits of a hash. */
    private static final int HASH_LENGTH = 27;

    private static final int BITS = 5;

    /** The address of the owner's service account. */
    String email(BucketOwner owner) {
        return accountId(owner) + domain();
    }

    /** The service account in bindings of an IAM policy. */
    static String member(String email) {
        return "serviceAccount:" + email;
    }

    /** Whether a member of a binding is, or was, the service account of a principal. */
    boolean isPrincipal(String member) {
        return Pattern.matches(
                "(deleted:)?serviceAccount:" + PREFIX + "[" + ALPHABET + "]{" + HASH_LENGTH + "}"
                        + Pattern.quote(domain()) + "(\\?uid=.*)?",
                member);
    }

    /**
     * Reads the owner's service account; empty if it does not exist.
     *
     * @throws Taken if a service account of that name exists and is not tagged with this owner
     */
    Optional<JsonNode> find(StoreCall call, BucketOwner owner) {
        ApiRequest request = request("read the service account of " + owner.principal(), "GET", email(owner), "");
        Optional<JsonNode> found = Absence.toEmpty(() -> client.send(call, request));
        found.ifPresent(account -> {
            if (!account.path("email").asText("").equals(email(owner))) {
                throw ErrorTranslation.unexpectedResponse(request);
            }
            if (!account.path("description").asText("").equals(tag(owner))) {
                throw new Taken("The service account " + email(owner) + " exists and is not owned by this claim.");
            }
        });
        return found;
    }

    /**
     * Creates the owner's service account. False if it exists, and was not visible or did not exist before.
     *
     * @throws Unavailable if it exists and is not visible yet
     */
    boolean create(StoreCall call, BucketOwner owner) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("accountId", accountId(owner));
        body.putObject("serviceAccount")
                .put("displayName", "Bucketwright " + owner.uid())
                .put("description", tag(owner));
        try {
            client.send(
                    call,
                    ApiRequest.of(
                                    "create the service account of " + owner.principal(),
                                    "POST",
                                    parameters.iamEndpoint(),
                                    path())
                            .with(body)
                            .onConflict(ApiRequest.Conflict.NAME_TAKEN));
            return true;
        } catch (Taken exists) {
            JsonNode _ = find(call, owner)
                    .orElseThrow(() -> new Unavailable(
                            exists.getMessage() + " A new service account can take a minute to appear.", exists));
            return false;
        }
    }

    void setEnabled(StoreCall call, BucketOwner owner, boolean enabled) {
        client.send(
                call,
                request(
                                (enabled ? "enable" : "disable") + " the service account of " + owner.principal(),
                                "POST",
                                email(owner),
                                enabled ? ":enable" : ":disable")
                        .with(JsonNodeFactory.instance.objectNode()));
    }

    void delete(StoreCall call, BucketOwner owner) {
        Absence.ignore(() -> client.send(
                call, request("delete the service account of " + owner.principal(), "DELETE", email(owner), "")));
    }

    private ApiRequest request(String action, String method, String email, String suffix) {
        return ApiRequest.of(
                action, method, parameters.iamEndpoint(), path() + "/" + ApiRequest.encode(email) + suffix);
    }

    private String path() {
        return "/v1/projects/" + ApiRequest.encode(parameters.project()) + "/serviceAccounts";
    }

    /** A project of a domain is {@code domain:name}, and its service accounts are at {@code name.domain}. */
    private String domain() {
        String project = parameters.project();
        int colon = project.indexOf(':');
        return "@" + project.substring(colon + 1) + (colon < 0 ? "" : "." + project.substring(0, colon))
                + ".iam.gserviceaccount.com";
    }

    private static String tag(BucketOwner owner) {
        return "bucketwright.io/version=1 bucketwright.io/cluster=" + owner.clusterId() + " bucketwright.io/owner="
                + owner.uid();
    }

    private static String accountId(BucketOwner owner) {
        BigInteger number = new BigInteger(1, TextDigest.of(owner.toString()).bytes());
        StringBuilder id = new StringBuilder(PREFIX);
        for (int i = 0; i < HASH_LENGTH; i++) {
            id.append(ALPHABET.charAt(number.shiftRight(i * BITS).intValue() & (ALPHABET.length() - 1)));
        }
        return id.toString();
    }
}
