package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.s3.identity.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

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
        Map<String, JsonNode> fields =
                new LinkedHashMap<>(JsonNode.parser().parse(json).asObject());
        JsonNode statements = fields.remove(STATEMENT);
        List<JsonNode> all =
                statements == null ? List.of() : statements.isArray() ? statements.asArray() : List.of(statements);
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
        String head = fields.isEmpty()
                ? "\"Version\":\"2012-10-17\""
                : fields.entrySet().stream()
                        .map(field -> JsonText.quoted(field.getKey()) + ":" + JsonText.of(field.getValue()))
                        .collect(Collectors.joining(","));
        return "{" + head + ",\"" + STATEMENT + "\":["
                + Stream.concat(principals.stream(), others.stream())
                        .map(JsonText::of)
                        .collect(Collectors.joining(","))
                + "]}";
    }

    private static boolean hasSid(JsonNode statement, String prefix) {
        return statement.isObject() && JsonText.text(statement, "Sid").startsWith(prefix);
    }
}
