package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestCluster;
import org.junit.jupiter.api.BeforeEach;

/** A test with sidecars for released kinds that have the role of a vendor. */
public abstract class ReleasedTest {

    protected TestCluster cluster;
    protected ApiUser user;

    @BeforeEach
    protected final void open(TestCluster testCluster) {
        cluster = testCluster;
        user = ReleasedFixture.vendorUser(cluster, "sidecar");
    }
}
