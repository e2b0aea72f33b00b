package io.bucketwright.store.s3.client;

import java.util.List;
import java.util.Map;

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
}
