package io.bucketwright.store.s3;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.OptionJson;
import io.bucketwright.store.s3.AnonymousPolicy.Author;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import java.util.List;
import java.util.Optional;

/**
 * Bucket policies: a raw policy from an option, or the generated policy for anonymous access. The {@code Id} of a raw policy
 * records that an option set it, so that it can be removed later and a policy that somebody else has put in its place is
 * kept.
 */
record BucketPolicies(SessionBucket bucket, PolicyDocuments documents, String partition) {

    private static final String ID = "bucketwright.io/option";

    /**
     * Sets a raw policy.
     *
     * @throws Invalid if it is not an object or has an id of its own
     */
    void putRaw(OptionJson policy) {
        documents.put(bucket.call(), bucket.name(), withId(policy));
    }

    static String withId(OptionJson policy) {
        if (!policy.node().isObject() || policy.node().has("Id")) {
            throw new Invalid("policy must be an object without the field Id, which Bucketwright sets");
        }
        ObjectNode identified = JsonNodeFactory.instance.objectNode().put("Id", ID);
        return identified.setAll((ObjectNode) policy.node()).toString();
    }

    /**
     * Sets or removes the generated policy for anonymous access.
     *
     * @throws Invalid if the bucket has another policy, which must not be replaced
     */
    void setAnonymousAccess(AnonymousAccess access) {
        Optional<String> current = find();
        if (current.isPresent() && author(current.get()) != Author.BUCKETWRIGHT) {
            throw new Invalid("anonymousAccess cannot be set: the bucket " + bucket
                    + " has a policy that Bucketwright did not generate, or that others changed");
        }
        if (access != AnonymousAccess.PRIVATE) {
            documents.put(bucket.call(), bucket.name(), new AnonymousPolicy(partition, bucket.name()).document(access));
        } else if (current.isPresent()) {
            delete();
        }
    }

    /**
     * Removes the generated policy for anonymous access; keeps any other policy.
     *
     * @return whether the bucket has a policy of others
     * @throws Denied if others added statements to it, which must not be removed: then it still gives access
     */
    boolean removeAnonymousAccess() {
        Optional<String> found = find();
        return switch (found.map(this::author).orElse(Author.OTHERS)) {
            case OTHERS -> found.filter(policy -> !hasId(policy)).isPresent();
            case BUCKETWRIGHT -> {
                deleteOwn();
                yield false;
            }
            case BOTH ->
                throw new Denied("Could not end the anonymous access to the bucket " + bucket + ": others added"
                        + " statements to its policy. In the store, remove the statements whose Sid begins with"
                        + " Bucketwright, or the policy.");
        };
    }

    private Author author(String policy) {
        return hasId(policy) ? Author.OTHERS : new AnonymousPolicy(partition, bucket.name()).author(policy);
    }

    /**
     * Removes a raw policy that an option set; keeps any other policy.
     *
     * @return whether the bucket has a policy of others
     */
    boolean removeRaw() {
        Optional<String> found = find();
        if (found.filter(BucketPolicies::hasId).isPresent()) {
            deleteOwn();
            return false;
        }
        return found.filter(policy -> author(policy) == Author.OTHERS).isPresent();
    }

    /** A store that has a policy supports them: if it does not delete it, access has not ended. */
    private void deleteOwn() {
        try {
            delete();
        } catch (Unsupported rejected) {
            throw new Denied(rejected.getMessage() + " Delete the policy in the store.", rejected);
        }
    }

    /** Whether the policy allows anything to anybody. */
    boolean allowsAccess() {
        return find().map(BucketPolicies::read).filter(BucketPolicies::allows).isPresent();
    }

    static boolean allows(OptionJson policy) {
        return policy.find("Statement").map(OptionJson::oneOrMore).orElse(List.of()).stream()
                .anyMatch(statement -> !statement.text("Effect").equals(Optional.of("Deny")));
    }

    private static boolean hasId(String policy) {
        return AnonymousPolicy.id(read(policy)).equals(ID);
    }

    private static OptionJson read(String policy) {
        return OptionJson.of("policy", policy);
    }

    void delete() {
        documents.delete(bucket.call(), bucket.name());
    }

    private Optional<String> find() {
        return documents.find(bucket.call(), bucket.name());
    }
}
