package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import java.util.Arrays;
import java.util.Optional;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.s3.S3Client;

/** Bucket policies: a raw policy from an option, or the generated policy for anonymous access. */
record BucketPolicies(S3Client s3) {

    void put(StoreCall call, BucketName bucket, String json) {
        OptionJson.parse("policy", json);
        StoreRequest.send(
                call,
                "set the policy of " + bucket,
                limits -> s3.putBucketPolicy(
                        request -> request.bucket(bucket.text()).policy(json).overrideConfiguration(limits)));
    }

    /**
     * Sets or removes the generated policy for anonymous access.
     *
     * @throws Invalid if the bucket has another policy, which must not be replaced
     */
    void setAnonymousAccess(StoreCall call, BucketName bucket, AnonymousAccess access) {
        Optional<String> current = find(call, bucket);
        if (current.isPresent() && !isGenerated(bucket, current.get())) {
            throw new Invalid("anonymousAccess cannot be set: the bucket " + bucket
                    + " has a policy that Bucketwright did not generate");
        }
        if (access != AnonymousAccess.PRIVATE) {
            put(call, bucket, document(bucket, access));
        } else if (current.isPresent()) {
            StoreRequest.send(
                    call,
                    "delete the policy of " + bucket,
                    limits -> s3.deleteBucketPolicy(
                            request -> request.bucket(bucket.text()).overrideConfiguration(limits)));
        }
    }

    private Optional<String> find(StoreCall call, BucketName bucket) {
        try {
            return Optional.of(StoreRequest.send(
                    call,
                    "read the policy of " + bucket,
                    limits -> s3.getBucketPolicy(
                                    request -> request.bucket(bucket.text()).overrideConfiguration(limits))
                            .policy()));
        } catch (NotFound none) {
            return Optional.empty();
        }
    }

    private static boolean isGenerated(BucketName bucket, String policy) {
        JsonNode found = OptionJson.parse("policy", policy);
        return Arrays.stream(AnonymousAccess.values())
                .filter(access -> access != AnonymousAccess.PRIVATE)
                .anyMatch(access ->
                        OptionJson.parse("policy", document(bucket, access)).equals(found));
    }

    private static String document(BucketName bucket, AnonymousAccess access) {
        String list = statement("BucketwrightList", "s3:ListBucket", "arn:aws:s3:::" + bucket);
        String get = statement("BucketwrightGet", "s3:GetObject", "arn:aws:s3:::" + bucket + "/*");
        String put = statement("BucketwrightPut", "s3:PutObject", "arn:aws:s3:::" + bucket + "/*");
        String statements = switch (access) {
            case PRIVATE -> "";
            case READ_ONLY -> list + "," + get;
            case WRITE_ONLY -> put;
            case READ_WRITE -> list + "," + get + "," + put;
        };
        return "{\"Version\":\"2012-10-17\",\"Statement\":[" + statements + "]}";
    }

    private static String statement(String sid, String action, String resource) {
        return "{\"Sid\":\"%s\",\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":[\"%s\"],\"Resource\":[\"%s\"]}"
                .formatted(sid, action, resource);
    }
}
