package io.bucketwright.testing.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Everything that the server stores, and who may use it. Guarded by its own lock. */
final class GcsState {

    private static final Map<String, Set<String>> ROLES = Map.of(
            "roles/storage.objectUser",
            Set.of(
                    "storage.objects.create",
                    "storage.objects.delete",
                    "storage.objects.get",
                    "storage.objects.list",
                    "storage.objects.update",
                    "storage.multipartUploads.create",
                    "storage.multipartUploads.abort",
                    "storage.multipartUploads.list",
                    "storage.multipartUploads.listParts"),
            "roles/storage.objectViewer",
            Set.of("storage.objects.get", "storage.objects.list"),
            "roles/storage.objectCreator",
            Set.of(
                    "storage.objects.create",
                    "storage.multipartUploads.create",
                    "storage.multipartUploads.abort",
                    "storage.multipartUploads.listParts"),
            "roles/storage.legacyObjectReader",
            Set.of("storage.objects.get"),
            "roles/storage.legacyBucketOwner",
            Set.of(),
            "roles/storage.legacyBucketReader",
            Set.of());

    /** The conditions that the server can evaluate: a prefix of names, and of lists. */
    private static final Pattern CONDITION =
            Pattern.compile("resource\\.name\\.startsWith\\(\"([^\"\\\\]*)\"\\) \\|\\| "
                    + "api\\.getAttribute\\(\"storage\\.googleapis\\.com/objectListPrefix\", \"\"\\)"
                    + "\\.startsWith\\(\"([^\"\\\\]*)\"\\)");

    private record Token(String email, Instant expires) {}

    private static final String EVERYBODY = "allUsers";

    final String project;
    final String administrator;
    final Map<String, GcsBucket> buckets = new TreeMap<>();
    final Map<String, GcsAccount> accounts = new TreeMap<>();
    final Set<String> deniedPermissions = new HashSet<>();
    final Set<String> usedPermissions = new TreeSet<>();
    int newAccountsInvisibleFor;

    /** Whether a policy of the organization prevents roles for everybody. */
    boolean publicAccessPrevented;

    /** The most service accounts of the project, beside the administrator's. */
    int mostAccounts = Integer.MAX_VALUE;

    private final Map<String, Token> tokens = new HashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong numbers = new AtomicLong(1_700_000_000_000_000L);

    GcsState(String project, String administrator) {
        this.project = project;
        this.administrator = administrator;
    }

    long nextNumber() {
        return numbers.incrementAndGet();
    }

    String randomText(int bytes) {
        byte[] text = new byte[bytes];
        random.nextBytes(text);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    String newToken(String email, long seconds) {
        String token = "ya29." + randomText(40);
        tokens.put(token, new Token(email, Instant.now().plusSeconds(seconds)));
        return token;
    }

    /** The account of a token in the header Authorization; a token is valid as long as its account is enabled. */
    GcsAccount bearer(GcsRequest request) {
        String header = request.header("Authorization");
        @Nullable Token token = header.startsWith("Bearer ") ? tokens.get(header.substring("Bearer ".length())) : null;
        if (token == null || token.expires().isBefore(Instant.now())) {
            throw GcsProblem.unauthorized();
        }
        return Optional.ofNullable(accounts.get(token.email()))
                .filter(account -> !account.disabled)
                .orElseThrow(GcsProblem::unauthorized);
    }

    GcsBucket bucket(String name) {
        return Optional.ofNullable(buckets.get(name))
                .orElseThrow(() -> GcsProblem.notFound("The specified bucket does not exist."));
    }

    /** Checks a permission in the project, which only the administrator has. */
    void require(GcsAccount caller, String permission) {
        if (!isAdministrator(caller, permission)) {
            throw denied(caller, permission, "Google Cloud project");
        }
    }

    /** Checks a permission on a bucket. */
    void require(GcsAccount caller, String permission, GcsBucket bucket) {
        require(caller, permission, bucket, "projects/_/buckets/" + bucket.name, "");
    }

    /** Checks a permission on an object. */
    void requireObject(GcsAccount caller, String permission, GcsBucket bucket, String key) {
        require(caller, permission, bucket, "projects/_/buckets/" + bucket.name + "/objects/" + key, "");
    }

    /** Checks the permission to list objects. */
    void requireList(GcsAccount caller, GcsBucket bucket, String prefix) {
        require(caller, "storage.objects.list", bucket, "projects/_/buckets/" + bucket.name, prefix);
    }

    private void require(GcsAccount caller, String permission, GcsBucket bucket, String name, String listPrefix) {
        if (isAdministrator(caller, permission)) {
            return;
        }
        for (JsonNode binding : bucket.bindings) {
            boolean member = binding.path("members")
                    .valueStream()
                    .anyMatch(text -> text.asText().equals("serviceAccount:" + caller.email)
                            || (text.asText().equals(EVERYBODY) && !preventsPublicAccess(bucket)));
            if (member
                    && ROLES.getOrDefault(binding.path("role").asText(), Set.of())
                            .contains(permission)
                    && isMet(binding.path("condition"), name, listPrefix)) {
                return;
            }
        }
        throw denied(caller, permission, "Google Cloud Storage bucket");
    }

    private boolean isAdministrator(GcsAccount caller, String permission) {
        if (!caller.email.equals(administrator)) {
            return false;
        }
        usedPermissions.add(permission);
        return !deniedPermissions.contains(permission);
    }

    private static GcsProblem denied(GcsAccount caller, String permission, String resource) {
        return new GcsProblem(
                403,
                "forbidden",
                caller.email + " does not have " + permission + " access to the " + resource + ". Permission '"
                        + permission + "' denied on resource (or it may not exist).");
    }

    private static boolean isMet(JsonNode condition, String name, String listPrefix) {
        if (condition.isMissingNode()) {
            return true;
        }
        Matcher matcher = CONDITION.matcher(condition.path("expression").asText());
        return matcher.matches()
                && (name.startsWith(matcher.group(1))
                        || (!listPrefix.isEmpty() && listPrefix.startsWith(matcher.group(2))));
    }

    private boolean preventsPublicAccess(GcsBucket bucket) {
        return publicAccessPrevented
                || bucket.resource
                        .path("iamConfiguration")
                        .path("publicAccessPrevention")
                        .asText("")
                        .equals("enforced");
    }

    /** Checks the roles, members and conditions of bindings. */
    void checkBindings(GcsBucket bucket, JsonNode policy) {
        if (preventsPublicAccess(bucket) && policy.path("bindings").toString().contains("\"" + EVERYBODY + "\"")) {
            throw new GcsProblem(
                    412,
                    "conditionNotMet",
                    "The member bindings allUsers and allAuthenticatedUsers are not allowed since public access"
                            + " prevention is enforced.");
        }
        for (JsonNode binding : policy.path("bindings")) {
            GcsRequest.checkFields(binding, "role", "members", "condition");
            if (!ROLES.containsKey(binding.path("role").asText())) {
                throw GcsProblem.invalid("Unknown role " + binding.path("role"));
            }
            if (binding.path("members").isEmpty()) {
                throw GcsProblem.invalid("A binding must have members.");
            }
            binding.path("members").forEach(member -> checkMember(member.asText()));
            if (binding.has("condition")) {
                GcsRequest.checkFields(binding.path("condition"), "title", "expression", "description");
                boolean titled =
                        !binding.path("condition").path("title").asText("").isEmpty();
                if (policy.path("version").asInt() != 3
                        || !bucket.isUniform()
                        || !titled
                        || !CONDITION
                                .matcher(binding.path("condition")
                                        .path("expression")
                                        .asText())
                                .matches()) {
                    throw GcsProblem.invalid(
                            "Conditions need version 3, uniform bucket-level access, a title and a valid"
                                    + " expression.");
                }
            }
        }
    }

    private void checkMember(String member) {
        if (member.startsWith("serviceAccount:")) {
            String email = member.substring("serviceAccount:".length());
            boolean visible = Optional.ofNullable(accounts.get(email))
                    .filter(GcsAccount::becomesVisible)
                    .isPresent();
            if (!visible) {
                throw GcsProblem.invalid("Service account " + email + " does not exist.");
            }
        } else if (!member.matches("(allUsers|allAuthenticatedUsers|(deleted:serviceAccount|user|group|domain"
                + "|projectOwner|projectEditor|projectViewer):.+)")) {
            throw GcsProblem.invalid("Unknown member " + member);
        }
    }

    /** Marks a deleted account in all policies, as the service does. */
    void forgetMember(GcsAccount account) {
        for (GcsBucket bucket : buckets.values()) {
            String text = bucket.bindings.toString();
            String changed = text.replace(
                    "\"serviceAccount:" + account.email + "\"",
                    "\"deleted:serviceAccount:" + account.email + "?uid=" + account.uniqueId + "\"");
            if (!changed.equals(text)) {
                bucket.bindings = BucketFields.array(changed);
            }
        }
    }
}
