package io.bucketwright.store.s3.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import io.bucketwright.store.s3.identity.PolicyRequests;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.s3.S3Client;

/** Bucket policies in which the statements for principals and those of options and administrators stand side by side. */
record SharedPolicies(PolicyDocuments requests, BucketLocks locks) implements PolicyDocuments {

    /** The gateway reads 1 MiB (rgw_max_put_param_size), and rejects every later change of a policy that is larger. */
    static final int LARGEST = 960 * 1024;

    SharedPolicies(S3Client s3, BucketLocks locks) {
        this(new PolicyRequests(s3), locks);
    }

    @Override
    public Optional<String> find(StoreCall call, BucketName bucket) {
        return requests.find(call, bucket)
                .map(PolicyDocument::parse)
                .map(PolicyDocument::withoutPrincipals)
                .filter(policy -> !policy.isEmpty())
                .map(PolicyDocument::json);
    }

    @Override
    public void put(StoreCall call, BucketName bucket, String json) {
        PolicyDocument wanted = PolicyDocument.parse(json);
        change(call, bucket, current -> current.withOthers(wanted));
    }

    @Override
    public void delete(StoreCall call, BucketName bucket) {
        change(call, bucket, current -> current.withOthers(PolicyDocument.EMPTY));
    }

    /**
     * Replaces the statements for a principal.
     *
     * @param forOwner statements for a user that owned the bucket before; empty if there is none
     */
    void setPrincipal(
            StoreCall call,
            BucketName bucket,
            PrincipalName principal,
            List<JsonNode> statements,
            List<JsonNode> forOwner) {
        change(call, bucket, current -> current.with(principal, statements).withOwner(forOwner));
    }

    void removePrincipal(StoreCall call, BucketName bucket, PrincipalName principal) {
        change(call, bucket, current -> current.with(principal, List.of()));
    }

    /** A policy that is too large already, because the limit of the gateway was raised, may shrink. */
    private static void requireSize(BucketName bucket, PolicyDocument wanted, PolicyDocument current) {
        int size = wanted.json().length();
        if (size > LARGEST && size > current.json().length()) {
            throw new Invalid("the bucket " + bucket + " has as many grants as its policy can hold: " + LARGEST / 1024
                    + " KiB, which is about 350 claims. Delete claims on this bucket, or use another bucket");
        }
    }

    private void change(StoreCall call, BucketName bucket, UnaryOperator<PolicyDocument> change) {
        PolicyDocument _ = locks.locked(call, bucket, () -> {
            PolicyDocument current =
                    requests.find(call, bucket).map(PolicyDocument::parse).orElse(PolicyDocument.EMPTY);
            PolicyDocument wanted = change.apply(current);
            if (wanted.isEmpty() && !current.isEmpty()) {
                locks.write(bucket, () -> requests.delete(call, bucket));
            } else if (!wanted.equals(current)) {
                requireSize(bucket, wanted, current);
                locks.write(bucket, () -> requests.put(call, bucket, wanted.json()));
            }
            return wanted;
        });
    }
}
