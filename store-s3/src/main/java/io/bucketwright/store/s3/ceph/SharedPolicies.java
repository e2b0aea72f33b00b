package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import io.bucketwright.store.s3.identity.PolicyRequests;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.s3.S3Client;

/** Bucket policies in which the statements for principals and those of options and administrators stand side by side. */
record SharedPolicies(PolicyDocuments requests, BucketLocks locks) implements PolicyDocuments {

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

    private void change(StoreCall call, BucketName bucket, UnaryOperator<PolicyDocument> change) {
        PolicyDocument _ = locks.locked(call, bucket, () -> {
            PolicyDocument current =
                    requests.find(call, bucket).map(PolicyDocument::parse).orElse(PolicyDocument.EMPTY);
            PolicyDocument wanted = change.apply(current);
            if (wanted.isEmpty() && !current.isEmpty()) {
                requests.delete(call, bucket);
            } else if (!wanted.equals(current)) {
                requests.put(call, bucket, wanted.json());
            }
            return wanted;
        });
    }
}
