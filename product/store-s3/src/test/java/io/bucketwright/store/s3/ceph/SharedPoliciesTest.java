package io.bucketwright.store.s3.ceph;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The policy of a bucket that many claims share. */
class SharedPoliciesTest {

    private static final BucketName BUCKET = new BucketName("shared");

    private String stored = "";

    private final PolicyDocuments gateway = new PolicyDocuments() {
        @Override
        public Optional<String> find(StoreCall call, BucketName bucket) {
            return Optional.of(stored).filter(json -> !json.isEmpty());
        }

        @Override
        public void put(StoreCall call, BucketName bucket, String json) {
            assertThat(json.length()).as("what the gateway reads").isLessThan(1024 * 1024);
            stored = json;
        }

        @Override
        public void delete(StoreCall call, BucketName bucket) {
            stored = "";
        }
    };

    private final SharedPolicies policies = new SharedPolicies(gateway, new BucketLocks());

    private void grant(int claim) {
        PrincipalName principal = principal(claim);
        policies.setPrincipal(
                call(),
                BUCKET,
                principal,
                new PrincipalStatements(BUCKET, principal).of(Access.readWrite()),
                List.of());
    }

    private static PrincipalName principal(int claim) {
        return new BucketOwner("cluster", "0f1c9c1e-4a53-4c59-9d0c-" + (100_000_000_000L + claim)).principal();
    }

    @Test
    void aGrantThatThePolicyCannotHoldIsRefusedWithTheReasonAndOthersCanEnd() {
        // One document instead of hundreds of changes, each of which parses all of it.
        PolicyDocument policy = PolicyDocument.EMPTY;
        int claims = 0;
        while (policy.json().length() < SharedPolicies.LARGEST) {
            claims++;
            policy = policy.with(
                    principal(claims), new PrincipalStatements(BUCKET, principal(claims)).of(Access.readWrite()));
        }
        assertThat(claims).as("claims on one bucket, as the message says").isBetween(330, 450);
        stored = policy.with(principal(claims), List.of()).json();
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> grant(100_000))
                .withMessageContaining("as many grants as its policy can hold");
        policies.removePrincipal(call(), BUCKET, principal(1));
        grant(100_000);
        assertThat(stored)
                .contains(principal(100_000).text())
                .doesNotContain(principal(1).text());
    }
}
