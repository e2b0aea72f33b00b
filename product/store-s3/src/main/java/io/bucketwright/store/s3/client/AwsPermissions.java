package io.bucketwright.store.s3.client;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The permissions that the administrator needs on AWS: the actions that AWS checks for each operation of the S3 and IAM APIs
 * that this module calls. Most actions have the name of their operation; the others are as the AWS Service Authorization
 * Reference lists them.
 */
public final class AwsPermissions {

    private static final Map<String, List<String>> OTHER_ACTIONS = Map.ofEntries(
            Map.entry("S3.ListBuckets", List.of("s3:ListAllMyBuckets")),
            Map.entry("S3.CreateBucket", List.of("s3:CreateBucket", "s3:TagResource")),
            Map.entry("S3.ListObjectsV2", List.of("s3:ListBucket")),
            Map.entry("S3.ListObjectVersions", List.of("s3:ListBucketVersions")),
            Map.entry("S3.ListMultipartUploads", List.of("s3:ListBucketMultipartUploads")),
            Map.entry("S3.DeleteObject", List.of("s3:DeleteObject", "s3:DeleteObjectVersion")),
            Map.entry("S3.DeleteObjects", List.of("s3:DeleteObject", "s3:DeleteObjectVersion")),
            Map.entry("S3.PutBucketLifecycleConfiguration", List.of("s3:PutLifecycleConfiguration")),
            Map.entry("S3.DeleteBucketLifecycle", List.of("s3:PutLifecycleConfiguration")),
            Map.entry("S3.PutBucketCors", List.of("s3:PutBucketCORS")),
            Map.entry("S3.DeleteBucketCors", List.of("s3:PutBucketCORS")),
            Map.entry("S3.GetObjectLockConfiguration", List.of("s3:GetBucketObjectLockConfiguration")),
            Map.entry("S3.PutObjectLockConfiguration", List.of("s3:PutBucketObjectLockConfiguration")),
            Map.entry("S3.PutBucketEncryption", List.of("s3:PutEncryptionConfiguration")),
            Map.entry("S3.DeleteBucketEncryption", List.of("s3:PutEncryptionConfiguration")),
            Map.entry("S3.PutPublicAccessBlock", List.of("s3:PutBucketPublicAccessBlock")),
            Map.entry("S3.GetPublicAccessBlock", List.of("s3:GetBucketPublicAccessBlock")),
            Map.entry("S3.DeletePublicAccessBlock", List.of("s3:PutBucketPublicAccessBlock")),
            Map.entry("Iam.CreateUser", List.of("iam:CreateUser", "iam:TagUser")));

    /** Where an action applies. */
    private enum Scope {
        ACCOUNT("Account", "*"),
        BUCKETS("Buckets", "arn:%s:s3:::*"),
        OBJECTS("Objects", "arn:%s:s3:::*/*"),
        USERS("Users", "arn:%s:iam::*:user%sbw-*"),
        GROUPS("Groups", "arn:%s:iam::*:group/*");

        private final String sid;
        private final String resource;

        Scope(String sid, String resource) {
            this.sid = sid;
            this.resource = resource;
        }

        static Scope of(String action) {
            return switch (action) {
                case "s3:ListAllMyBuckets" -> ACCOUNT;
                case "s3:DeleteObject", "s3:DeleteObjectVersion", "s3:AbortMultipartUpload" -> OBJECTS;
                case "iam:RemoveUserFromGroup" -> GROUPS;
                default -> action.startsWith("iam:") ? USERS : BUCKETS;
            };
        }
    }

    private AwsPermissions() {}

    /**
     * The actions that AWS checks for an operation.
     *
     * @param operation the service and the operation as the SDK names them, such as {@code S3.CreateBucket}
     */
    public static List<String> actions(String operation) {
        String[] names = operation.split("\\.", 2);
        return names.length == 2
                ? OTHER_ACTIONS.getOrDefault(operation, List.of((names[0].equals("S3") ? "s3:" : "iam:") + names[1]))
                : List.of();
    }

    /**
     * The least privilege policy that allows operations.
     *
     * @param partition the second part of ARNs
     * @param userPath the path of the users in the class
     */
    public static String policy(Iterable<String> operations, String partition, String userPath) {
        Map<Scope, TreeSet<String>> byScope = new TreeMap<>();
        for (String operation : operations) {
            actions(operation)
                    .forEach(action -> byScope.computeIfAbsent(Scope.of(action), _ -> new TreeSet<>())
                            .add(action));
        }
        String statements = byScope.entrySet().stream()
                .map(scope -> statement(
                        scope.getKey().sid,
                        scope.getValue(),
                        scope.getKey().resource.formatted(partition, userPath)))
                .collect(Collectors.joining(",\n"));
        return "{\n  \"Version\": \"2012-10-17\",\n  \"Statement\": [\n" + statements + "\n  ]\n}\n";
    }

    private static String statement(String sid, SortedSet<String> actions, String resource) {
        return "    {\n      \"Sid\": \"%s\",\n      \"Effect\": \"Allow\",\n      \"Action\": [\n%s\n      ],\n"
                        .formatted(
                                sid,
                                actions.stream()
                                        .map(action -> "        \"" + action + "\"")
                                        .collect(Collectors.joining(",\n")))
                + "      \"Resource\": \"" + resource + "\"\n    }";
    }
}
