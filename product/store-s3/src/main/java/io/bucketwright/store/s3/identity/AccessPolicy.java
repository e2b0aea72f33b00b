package io.bucketwright.store.s3.identity;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.ObjectAction;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The IAM policy of a principal. It lists every action by name and uses no wildcard in actions. It contains no action on
 * the bucket itself (tags, policy, ACL, lifecycle, versioning, object lock, deletion) and none on object ACLs, with which a
 * tenant could make objects public. In a bucket with object lock it contains the actions on the locks of objects, but not the
 * one that bypasses them.
 */
public final class AccessPolicy {

    private static final List<String> LIST =
            List.of("s3:ListBucket", "s3:ListBucketVersions", "s3:ListBucketMultipartUploads");
    private static final List<String> LOCATE = List.of("s3:GetBucketLocation");
    private static final List<String> READ = List.of(
            "s3:GetObject",
            "s3:GetObjectVersion",
            "s3:GetObjectTagging",
            "s3:GetObjectVersionTagging",
            "s3:GetObjectAttributes");
    private static final List<String> WRITE =
            List.of("s3:PutObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts");
    private static final List<String> LOCATE_LOCK = List.of("s3:GetBucketObjectLockConfiguration");
    private static final List<String> READ_LOCK = List.of("s3:GetObjectRetention", "s3:GetObjectLegalHold");
    private static final List<String> WRITE_LOCK = List.of("s3:PutObjectRetention", "s3:PutObjectLegalHold");
    private static final List<String> DELETE = List.of("s3:DeleteObject", "s3:DeleteObjectVersion");
    private static final List<String> TAG = List.of("s3:PutObjectTagging", "s3:DeleteObjectTagging");
    private static final List<String> CHANGE = joined(Stream.of(DELETE, TAG));

    private static final String OWN_ACCOUNT =
            "{\"Sid\":\"OwnAccount\",\"Effect\":\"Deny\",\"Action\":[\"s3:*\"],\"Resource\":[\"*\"],"
                    + "\"Condition\":{\"StringNotEquals\":{\"aws:ResourceAccount\":\"${aws:PrincipalAccount}\"}}}";

    /** Of all inline policies of a user of AWS. */
    private static final int MAX_LENGTH = 2_048;

    private AccessPolicy() {}

    /** The policy document as JSON, for a store that is not AWS. */
    public static String document(BucketName bucket, Access access) {
        return document("aws", bucket, access, "", false);
    }

    /**
     * The policy document as JSON.
     *
     * @param partition the second part of ARNs: {@code aws}, {@code aws-cn}, {@code aws-us-gov}
     * @param kmsKey the ARN of the key that encrypts the objects; empty if the principal needs no permission for it
     * @param ownAccount whether to deny buckets of other accounts: on AWS, somebody else can create a bucket of a name that
     *     was deleted, and let everybody write to it
     * @throws Invalid if the policy allows nothing, or is too long for AWS
     */
    public static String document(
            String partition, BucketName bucket, Access access, String kmsKey, boolean ownAccount) {
        String arn = "arn:" + partition + ":s3:::" + bucket;
        List<String> statements = new ArrayList<>();
        List<String> locate =
                narrowed(joined(Stream.of(LOCATE, access.objectLock() ? LOCATE_LOCK : List.of())), access);
        List<String> list = narrowed(listActions(access.mode()), access);
        List<String> objects = narrowed(
                joined(Stream.of(
                        objectActions(access.mode()), access.objectLock() ? lockActions(access.mode()) : List.of())),
                access);
        if (!locate.isEmpty()) {
            statements.add(statement("Locate", locate, arn, ""));
        }
        if (!list.isEmpty()) {
            String condition = access.prefix().isEmpty()
                    ? ""
                    : ",\"Condition\":{\"StringLike\":{\"s3:prefix\":[\"" + access.prefix() + "*\"]}}";
            statements.add(statement("List", list, arn, condition));
        }
        if (!objects.isEmpty()) {
            statements.add(statement("Objects", objects, arn + "/" + access.prefix() + "*", ""));
        }
        requireKnownActions(access);
        if (!kmsKey.isEmpty() && !objects.isEmpty()) {
            statements.add(statement("Encryption", List.of("kms:Decrypt", "kms:GenerateDataKey"), kmsKey, ""));
        }
        if (statements.isEmpty()) {
            throw new Invalid("the policy actions allow nothing");
        }
        if (ownAccount) {
            statements.add(OWN_ACCOUNT);
        }
        String document = "{\"Version\":\"2012-10-17\",\"Statement\":[" + String.join(",", statements) + "]}";
        if (ownAccount && document.length() > MAX_LENGTH) {
            throw new Invalid("the bucket's name and prefix are too long for an IAM policy: it has " + document.length()
                    + " characters, and AWS allows " + MAX_LENGTH);
        }
        return document;
    }

    private static List<String> listActions(AccessMode mode) {
        return switch (mode) {
            case READ_WRITE, READ_ONLY -> LIST;
            case WRITE_ONLY, NONE -> List.of();
        };
    }

    private static List<String> objectActions(AccessMode mode) {
        return switch (mode) {
            case READ_WRITE -> joined(Stream.of(READ, WRITE, CHANGE));
            case READ_ONLY -> READ;
            case WRITE_ONLY -> WRITE;
            case NONE -> List.of();
        };
    }

    private static List<String> lockActions(AccessMode mode) {
        return switch (mode) {
            case READ_WRITE -> joined(Stream.of(READ_LOCK, WRITE_LOCK));
            case READ_ONLY -> READ_LOCK;
            case WRITE_ONLY -> WRITE_LOCK;
            case NONE -> List.of();
        };
    }

    private static List<String> joined(Stream<List<String>> actions) {
        return actions.flatMap(Collection::stream).toList();
    }

    private static List<String> narrowed(List<String> actions, Access access) {
        return actions.stream()
                .filter(action -> access.allow().isEmpty()
                        || access.allow().stream().anyMatch(pattern -> matches(pattern, action)))
                .filter(action -> access.deny().stream().noneMatch(pattern -> matches(pattern, action)))
                .toList();
    }

    /** A misspelled action must not silently allow less or deny nothing. */
    private static void requireKnownActions(Access access) {
        List<String> all = joined(Stream.of(LOCATE, LIST, READ, WRITE, CHANGE, LOCATE_LOCK, READ_LOCK, WRITE_LOCK));
        Stream.concat(access.allow().stream(), access.deny().stream()).forEach(pattern -> {
            if (all.stream().noneMatch(action -> matches(pattern, action))) {
                throw new Invalid(
                        "policy action " + InputText.quote(pattern) + " is not an action that a principal can have");
            }
        });
    }

    /** Whether this is the name of one action that a principal can have, and that a tenant may give to others. */
    public static boolean isPrincipalAction(String name) {
        return joined(Stream.of(LOCATE, LIST, READ, WRITE, CHANGE)).stream().anyMatch(name::equalsIgnoreCase);
    }

    private static boolean matches(String pattern, String action) {
        return ObjectAction.find(pattern)
                .map(named -> of(named).contains(action))
                .orElseGet(() -> matchesName(pattern, action));
    }

    private static List<String> of(ObjectAction action) {
        return switch (action) {
            case READ -> joined(Stream.of(LOCATE, READ, LOCATE_LOCK, READ_LOCK));
            case LIST -> joined(Stream.of(LOCATE, LIST));
            case WRITE -> joined(Stream.of(LOCATE, WRITE, TAG, WRITE_LOCK));
            case DELETE -> joined(Stream.of(LOCATE, DELETE));
        };
    }

    private static boolean matchesName(String pattern, String action) {
        String regex = Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE).matcher(action).matches();
    }

    private static String statement(String sid, List<String> actions, String resource, String condition) {
        String quoted = actions.stream().map(action -> "\"" + action + "\"").collect(Collectors.joining(","));
        return "{\"Sid\":\"%s\",\"Effect\":\"Allow\",\"Action\":[%s],\"Resource\":[\"%s\"]%s}"
                .formatted(sid, quoted, resource, condition);
    }
}
