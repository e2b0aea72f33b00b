package io.bucketwright.store.s3.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.options.OptionJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A bucket policy in two parts.
 *
 * @param fields all fields but the statements
 * @param principals the statements for principals, which have a {@code Sid} of ours
 * @param others all other statements
 */
record PolicyDocument(Map<String, JsonNode> fields, List<JsonNode> principals, List<JsonNode> others) {

    static final PolicyDocument EMPTY = new PolicyDocument(Map.of(), List.of(), List.of());

    private static final String STATEMENT = "Statement";
    private static final String SID = "bucketwright.io/principal/";

    /** The start of the {@code Sid} of all statements for the user that owned the bucket before. No principal is named so. */
    static final String OWNER_SID = SID + "*/";

    /** The start of the {@code Sid} of all statements for a principal. */
    static String sid(PrincipalName principal) {
        return SID + principal + "/";
    }

    static PolicyDocument parse(String json) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        OptionJson.of("policy", json).node().forEachEntry(fields::put);
        List<JsonNode> all = Optional.ofNullable(fields.remove(STATEMENT)).stream()
                .flatMap(found -> found.isArray() ? found.valueStream() : Stream.of(found))
                .toList();
        return new PolicyDocument(
                fields,
                all.stream().filter(statement -> hasSid(statement, SID)).toList(),
                all.stream().filter(statement -> !hasSid(statement, SID)).toList());
    }

    /** Replaces the statements for one principal; those for the former owner end with the last principal. */
    PolicyDocument with(PrincipalName principal, List<JsonNode> statements) {
        PolicyDocument changed = replaced(sid(principal), statements);
        return changed.principals.stream().allMatch(statement -> hasSid(statement, OWNER_SID))
                ? changed.replaced(OWNER_SID, List.of())
                : changed;
    }

    /** Replaces the statements for the user that owned the bucket before. */
    PolicyDocument withOwner(List<JsonNode> statements) {
        return replaced(OWNER_SID, statements);
    }

    private PolicyDocument replaced(String sid, List<JsonNode> statements) {
        List<JsonNode> changed = new ArrayList<>(principals);
        changed.removeIf(statement -> hasSid(statement, sid));
        changed.addAll(statements);
        return new PolicyDocument(fields, List.copyOf(changed), others);
    }

    /** Replaces everything but the statements for principals. */
    PolicyDocument withOthers(PolicyDocument policy) {
        return new PolicyDocument(policy.fields, principals, policy.others);
    }

    PolicyDocument withoutPrincipals() {
        return new PolicyDocument(fields, List.of(), others);
    }

    boolean isEmpty() {
        return principals.isEmpty() && others.isEmpty();
    }

    String json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.setAll(fields.isEmpty() ? Map.of("Version", json.textNode("2012-10-17")) : fields);
        json.putArray(STATEMENT).addAll(principals).addAll(others);
        return json.toString();
    }

    private static boolean hasSid(JsonNode statement, String prefix) {
        return statement.path("Sid").asText().startsWith(prefix);
    }
}
