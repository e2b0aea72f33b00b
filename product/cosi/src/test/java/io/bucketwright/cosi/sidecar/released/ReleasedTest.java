package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A test with sidecars for released kinds that have the role of a vendor. */
@ResourceLock(value = "BucketClaims of all namespaces", mode = ResourceAccessMode.READ)
public abstract class ReleasedTest {

    protected TestCluster cluster;
    protected ApiUser user;

    @BeforeEach
    protected final void open(TestCluster testCluster) {
        cluster = testCluster;
        user = ReleasedFixture.vendorUser(cluster, "sidecar");
    }
}
