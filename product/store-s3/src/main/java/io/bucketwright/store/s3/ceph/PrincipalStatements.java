package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.s3.identity.AccessPolicy;
import io.bucketwright.store.s3.identity.JsonText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

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
        String statement = statement(
                "Allow",
                PolicyDocument.OWNER_SID + "Read",
                uid,
                List.of("s3:GetObject", "s3:GetObjectVersion"),
                "\"Resource\":[\"arn:aws:s3:::" + bucket + "/*\"]");
        return List.of(JsonNode.parser().parse(statement));
    }

    List<JsonNode> of(Access access) {
        List<String> statements = new ArrayList<>();
        Set<String> allowed = allow(access, statements);
        if (statements.isEmpty()) {
            throw new Invalid("the policy actions allow nothing");
        }
        String objects = "\"Resource\":[\"" + arn() + "/*\"]";
        List<String> denied = OBJECT_ACTIONS.stream()
                .filter(action -> !allowed.contains(action))
                .toList();
        statements.add(statement("Deny", "Others", denied, objects));
        if (!access.prefix().isEmpty()) {
            String outside = "\"NotResource\":[\"" + arn() + "/" + access.prefix() + "*\"]";
            statements.add(statement("Deny", "Outside", OBJECT_ACTIONS, outside));
        }
        if (allowed.contains("s3:PutObject")) {
            OPENING_HEADERS.forEach((header, values) -> statements.add(statement(
                    "Deny",
                    "Open" + header.substring(header.lastIndexOf('-') + 1),
                    List.of("s3:PutObject"),
                    objects + ",\"Condition\":{\"StringLike\":{\"" + header + "\":" + list(values) + "}}")));
        }
        return statements.stream().map(JsonNode.parser()::parse).toList();
    }

    /** Adds what an IAM policy would allow, and returns the allowed actions. */
    private Set<String> allow(Access access, List<String> statements) {
        Set<String> allowed = new HashSet<>();
        for (JsonNode statement :
                PolicyDocument.parse(AccessPolicy.document(bucket, access)).others()) {
            List<String> actions = statement.field("Action").stream()
                    .flatMap(list -> list.asArray().stream())
                    .map(JsonNode::asString)
                    .filter(action -> !UNKNOWN.contains(action))
                    .toList();
            if (!actions.isEmpty()) {
                allowed.addAll(actions);
                String rest = Stream.of("Resource", "Condition")
                        .flatMap(name ->
                                statement.field(name).stream().map(value -> "\"" + name + "\":" + JsonText.of(value)))
                        .collect(Collectors.joining(","));
                statements.add(statement("Allow", JsonText.text(statement, "Sid"), actions, rest));
            }
        }
        return allowed;
    }

    private String statement(String effect, String name, List<String> actions, String rest) {
        return statement(effect, PolicyDocument.sid(principal) + name, principal.text(), actions, rest);
    }

    private static String statement(String effect, String sid, String uid, List<String> actions, String rest) {
        return "{\"Sid\":" + JsonText.quoted(sid) + ",\"Effect\":\"" + effect + "\",\"Principal\":{\"AWS\":["
                + JsonText.quoted("arn:aws:iam:::user/" + uid) + "]},\"Action\":" + list(actions) + "," + rest
                + "}";
    }

    private static String list(List<String> values) {
        return values.stream().map(JsonText::quoted).collect(Collectors.joining(",", "[", "]"));
    }

    private String arn() {
        return "arn:aws:s3:::" + bucket;
    }
}
