package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Bucket policies: a raw policy from an option, or the generated policy for anonymous access. The {@code Id} of a raw policy
 * records that an option set it, so that it can be removed later and a policy that somebody else has put in its place is
 * kept.
 */
record BucketPolicies(S3Client s3) {

    private static final String ID = "bucketwright.io/option";

    /**
     * Sets a raw policy.
     *
     * @throws Invalid if it is not an object or has an id of its own
     */
    void putRaw(StoreCall call, BucketName bucket, String json) {
        put(call, bucket, withId(json));
    }

    static String withId(String json) {
        JsonNode document = OptionJson.parse("policy", json);
        if (!document.isObject() || document.asObject().containsKey("Id")) {
            throw new Invalid("policy must be an object without the field Id, which Bucketwright sets");
        }
        String rest = json.strip().substring(1).strip();
        return "{\"Id\":\"" + ID + "\"" + (rest.startsWith("}") ? "" : ",") + rest;
    }

    private void put(StoreCall call, BucketName bucket, String json) {
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
            delete(call, bucket);
        }
    }

    /** Removes the generated policy for anonymous access; keeps any other policy. */
    void removeAnonymousAccess(StoreCall call, BucketName bucket) {
        if (find(call, bucket).filter(policy -> isGenerated(bucket, policy)).isPresent()) {
            delete(call, bucket);
        }
    }

    /** Removes a raw policy that an option set; keeps any other policy. */
    void removeRaw(StoreCall call, BucketName bucket) {
        if (find(call, bucket).filter(BucketPolicies::hasId).isPresent()) {
            delete(call, bucket);
        }
    }

    /** Whether the policy allows anything to anybody. */
    boolean allowsAccess(StoreCall call, BucketName bucket) {
        return find(call, bucket).filter(BucketPolicies::allows).isPresent();
    }

    static boolean allows(String policy) {
        OptionJson document = OptionJson.of("policy", policy);
        return document
                .find("Statement")
                .map(statements -> statements.node().isArray() ? statements.elements() : List.of(statements))
                .orElse(List.of())
                .stream()
                .anyMatch(statement -> !"Deny".equals(statement.text("Effect")));
    }

    private static boolean hasId(String policy) {
        JsonNode document = OptionJson.parse("policy", policy);
        return document.isObject()
                && document.field("Id")
                        .filter(JsonNode::isString)
                        .map(JsonNode::asString)
                        .filter(ID::equals)
                        .isPresent();
    }

    void delete(StoreCall call, BucketName bucket) {
        StoreRequest.send(
                call,
                "delete the policy of " + bucket,
                limits -> s3.deleteBucketPolicy(
                        request -> request.bucket(bucket.text()).overrideConfiguration(limits)));
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
