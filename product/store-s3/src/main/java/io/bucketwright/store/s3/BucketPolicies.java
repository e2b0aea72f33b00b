package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.s3.AnonymousPolicy.Author;
import io.bucketwright.store.s3.identity.JsonText;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * Bucket policies: a raw policy from an option, or the generated policy for anonymous access. The {@code Id} of a raw policy
 * records that an option set it, so that it can be removed later and a policy that somebody else has put in its place is
 * kept.
 */
record BucketPolicies(PolicyDocuments documents, String partition) {

    private static final String ID = "bucketwright.io/option";

    /**
     * Sets a raw policy.
     *
     * @throws Invalid if it is not an object or has an id of its own
     */
    void putRaw(StoreCall call, BucketName bucket, String json) {
        documents.put(call, bucket, withId(json));
    }

    static String withId(String json) {
        JsonNode document = OptionJson.parse("policy", json);
        if (!document.isObject() || document.asObject().containsKey("Id")) {
            throw new Invalid("policy must be an object without the field Id, which Bucketwright sets");
        }
        String rest = JsonText.of(document).substring(1);
        return "{\"Id\":\"" + ID + "\"" + (rest.startsWith("}") ? "" : ",") + rest;
    }

    /**
     * Sets or removes the generated policy for anonymous access.
     *
     * @throws Invalid if the bucket has another policy, which must not be replaced
     */
    void setAnonymousAccess(StoreCall call, BucketName bucket, AnonymousAccess access) {
        Optional<String> current = find(call, bucket);
        if (current.isPresent() && author(bucket, current.get()) != Author.BUCKETWRIGHT) {
            throw new Invalid("anonymousAccess cannot be set: the bucket " + bucket
                    + " has a policy that Bucketwright did not generate, or that others changed");
        }
        if (access != AnonymousAccess.PRIVATE) {
            documents.put(call, bucket, new AnonymousPolicy(partition, bucket).document(access));
        } else if (current.isPresent()) {
            delete(call, bucket);
        }
    }

    /**
     * Removes the generated policy for anonymous access; keeps any other policy.
     *
     * @throws Denied if others added statements to it, which must not be removed: then it still gives access
     */
    void removeAnonymousAccess(StoreCall call, BucketName bucket) {
        switch (find(call, bucket).map(policy -> author(bucket, policy)).orElse(Author.OTHERS)) {
            case OTHERS -> {}
            case BUCKETWRIGHT -> deleteOwn(call, bucket);
            case BOTH ->
                throw new Denied("Could not end the anonymous access to the bucket " + bucket + ": others added"
                        + " statements to its policy. In the store, remove the statements whose Sid begins with"
                        + " Bucketwright, or the policy.");
        }
    }

    private Author author(BucketName bucket, String policy) {
        return hasId(policy) ? Author.OTHERS : new AnonymousPolicy(partition, bucket).author(policy);
    }

    /** Removes a raw policy that an option set; keeps any other policy. */
    void removeRaw(StoreCall call, BucketName bucket) {
        if (find(call, bucket).filter(BucketPolicies::hasId).isPresent()) {
            deleteOwn(call, bucket);
        }
    }

    /** A store that has a policy supports them: if it does not delete it, access has not ended. */
    private void deleteOwn(StoreCall call, BucketName bucket) {
        try {
            delete(call, bucket);
        } catch (Unsupported rejected) {
            throw new Denied(rejected.getMessage() + " Delete the policy in the store.", rejected);
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
        return AnonymousPolicy.id(OptionJson.parse("policy", policy)).equals(ID);
    }

    void delete(StoreCall call, BucketName bucket) {
        documents.delete(call, bucket);
    }

    private Optional<String> find(StoreCall call, BucketName bucket) {
        return documents.find(call, bucket);
    }
}
