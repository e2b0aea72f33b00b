package io.bucketwright.cosi.sidecar;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test with a bench of its own and a sidecar that has the permissions of the deployed one. */
abstract class SidecarTest {

    TestCluster cluster;
    ApiUser user;
    SidecarFixture bench;
    ScriptedDriver driver;

    @BeforeEach
    final void open(TestCluster testCluster) {
        cluster = testCluster;
        user = SidecarFixture.deployed(cluster, "sidecar");
        bench = new SidecarFixture(cluster, user, "driver.test");
        driver = bench.driver;
    }

    @AfterEach
    final void close() {
        bench.close();
    }
}
