package io.bucketwright.store.s3.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.s3.identity.AccessPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The statements of a bucket policy that give a principal its access. In the gateway, whoever writes an object owns it, and
 * may read it and change its ACL whatever the bucket's policy allows. So all actions on objects that the principal must not
 * have are denied. They are listed by name: the gateway ignores {@code NotAction} in a statement that denies.
 */
record PrincipalStatements(BucketName bucket, PrincipalName principal) {

    /** All actions on objects that the gateway knows. */
    private static final List<String> OBJECT_ACTIONS = List.of(
            "s3:GetObject",
            "s3:GetObjectVersion",
            "s3:GetObjectAcl",
            "s3:GetObjectVersionAcl",
            "s3:GetObjectTagging",
            "s3:GetObjectVersionTagging",
            "s3:GetObjectTorrent",
            "s3:GetObjectVersionTorrent",
            "s3:GetObjectRetention",
            "s3:GetObjectLegalHold",
            "s3:PutObject",
            "s3:PutObjectAcl",
            "s3:PutObjectVersionAcl",
            "s3:PutObjectTagging",
            "s3:PutObjectVersionTagging",
            "s3:PutObjectRetention",
            "s3:PutObjectLegalHold",
            "s3:BypassGovernanceRetention",
            "s3:DeleteObject",
            "s3:DeleteObjectVersion",
            "s3:DeleteObjectTagging",
            "s3:DeleteObjectVersionTagging",
            "s3:RestoreObject",
            "s3:AbortMultipartUpload",
            "s3:ListMultipartUploadParts");

    /** Actions that the gateway does not know: it rejects a policy that names one. */
    private static final Set<String> UNKNOWN = Set.of("s3:GetObjectAttributes");

    /** Headers of PutObject that give others access to the object. The gateway checks them for PutObject only. */
    private static final Map<String, List<String>> OPENING_HEADERS = Map.of(
            "s3:x-amz-acl", List.of("public-*", "authenticated-*"),
            "s3:x-amz-grant-read", List.of("*"),
            "s3:x-amz-grant-full-control", List.of("*"));

    /**
     * Lets the user that created the bucket, and still owns it, read what principals write: an application with its keys goes
     * on while others get keys of their own.
     */
    static List<JsonNode> forOwner(BucketName bucket, String uid) {
        ObjectNode read = statement(
                "Allow", PolicyDocument.OWNER_SID + "Read", uid, List.of("s3:GetObject", "s3:GetObjectVersion"));
        read.putArray("Resource").add("arn:aws:s3:::" + bucket + "/*");
        return List.of(read);
    }

    List<JsonNode> of(Access access) {
        List<JsonNode> statements = new ArrayList<>();
        Set<String> allowed = allow(access, statements);
        if (statements.isEmpty()) {
            throw new Invalid("the policy actions allow nothing");
        }
        List<String> others = OBJECT_ACTIONS.stream()
                .filter(action -> !allowed.contains(action))
                .toList();
        statements.add(deny("Others", others, "Resource", "/*"));
        if (!access.prefix().isEmpty()) {
            statements.add(deny("Outside", OBJECT_ACTIONS, "NotResource", "/" + access.prefix() + "*"));
        }
        if (allowed.contains("s3:PutObject")) {
            OPENING_HEADERS.forEach((header, values) -> {
                String name = "Open" + header.substring(header.lastIndexOf('-') + 1);
                ObjectNode opening = deny(name, List.of("s3:PutObject"), "Resource", "/*");
                values.forEach(
                        opening.putObject("Condition").putObject("StringLike").putArray(header)::add);
                statements.add(opening);
            });
        }
        return List.copyOf(statements);
    }

    /** Adds what an IAM policy would allow, and returns the allowed actions. */
    private Set<String> allow(Access access, List<JsonNode> statements) {
        Set<String> allowed = new HashSet<>();
        for (JsonNode statement :
                PolicyDocument.parse(AccessPolicy.document(bucket, access)).others()) {
            List<String> actions = statement
                    .path("Action")
                    .valueStream()
                    .map(JsonNode::textValue)
                    .filter(action -> !UNKNOWN.contains(action))
                    .toList();
            if (!actions.isEmpty()) {
                allowed.addAll(actions);
                ObjectNode own = statement("Allow", statement.path("Sid").asText(), actions);
                Stream.of("Resource", "Condition")
                        .filter(statement::has)
                        .forEach(name -> own.set(name, statement.get(name)));
                statements.add(own);
            }
        }
        return allowed;
    }

    /** Denies actions on objects of the bucket. */
    private ObjectNode deny(String name, List<String> actions, String field, String objects) {
        ObjectNode statement = statement("Deny", name, actions);
        statement.putArray(field).add("arn:aws:s3:::" + bucket + objects);
        return statement;
    }

    private ObjectNode statement(String effect, String name, List<String> actions) {
        return statement(effect, PolicyDocument.sid(principal) + name, principal.text(), actions);
    }

    private static ObjectNode statement(String effect, String sid, String uid, List<String> actions) {
        ObjectNode statement =
                JsonNodeFactory.instance.objectNode().put("Sid", sid).put("Effect", effect);
        statement.putObject("Principal").putArray("AWS").add("arn:aws:iam:::user/" + uid);
        actions.forEach(statement.putArray("Action")::add);
        return statement;
    }
}
