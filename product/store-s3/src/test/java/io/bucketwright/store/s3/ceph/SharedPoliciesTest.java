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
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.s3.identity.PolicyDocuments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The policy of a bucket that many claims share. */
class SharedPoliciesTest {

    private static final BucketName BUCKET = new BucketName("shared");

    private String stored = "";
    private boolean stalled;
    private final List<String> late = new ArrayList<>();

    private final PolicyDocuments gateway = new PolicyDocuments() {
        @Override
        public Optional<String> find(StoreCall call, BucketName bucket) {
            return Optional.of(stored).filter(json -> !json.isEmpty());
        }

        @Override
        public void put(StoreCall call, BucketName bucket, String json) {
            assertThat(json.length()).as("what the gateway reads").isLessThan(1024 * 1024);
            if (stalled) {
                late.add(json);
                throw new Unavailable("The store does not respond.");
            }
            stored = json;
        }

        @Override
        public void delete(StoreCall call, BucketName bucket) {
            stored = "";
        }
    };

    private final AtomicLong now = new AtomicLong();
    private final SharedPolicies policies = new SharedPolicies(gateway, new BucketLocks(now::get));

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

    /** The request replaces the whole policy, with what it was when the request was sent. */
    @Test
    void aPolicyThatLandsLateDropsNoStatementsOfOthers() {
        grant(1);
        stalled = true;
        assertThatExceptionOfType(Unavailable.class).isThrownBy(() -> grant(2));
        stalled = false;
        assertThatExceptionOfType(Unavailable.class)
                .isThrownBy(() -> grant(3))
                .satisfies(e -> assertThat(e.retryAfter()).isEqualTo(StoreCall.LATE));
        now.addAndGet(StoreCall.LATE.minusSeconds(1).toNanos());
        assertThatExceptionOfType(Unavailable.class)
                .isThrownBy(() -> grant(3))
                .satisfies(e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(1)));
        stored = late.getFirst();
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        grant(3);
        grant(2);
        assertThat(stored)
                .contains(principal(1).text(), principal(2).text(), principal(3).text());
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
