package io.bucketwright.volumes.podclaims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test class in which each test has a bench, and a user for its controllers whose requests are counted. */
public abstract class VolumeTestCase {

    private final Function<TestCluster, ApiUser> newUser;
    protected TestCluster cluster;
    protected VolumeFixture bench;
    protected ApiUser user;
    private RequestCounts before;

    /** @param newUser makes a user with the permissions of the controller under test */
    protected VolumeTestCase(Function<TestCluster, ApiUser> newUser) {
        this.newUser = newUser;
    }

    @BeforeEach
    protected void open(TestCluster of) {
        cluster = of;
        bench = new VolumeFixture(of);
        user = newUser.apply(of);
        before = of.requests(user);
    }

    @AfterEach
    protected void close() {
        bench.close();
    }

    /** Requests from here on are in {@link #cost}. */
    protected void startCounting() {
        before = cluster.requests(user);
    }

    protected RequestCounts cost() {
        return cluster.requests(user).since(before);
    }

    protected RequestCounts assertCost(long writes, long events) {
        RequestCounts cost = cost();
        assertThat(cost.writes()).as("%s", cost).isEqualTo(writes);
        assertThat(cost.events()).as("%s", cost).isEqualTo(events);
        return cost;
    }

    /** All requests but single reads were permitted. */
    protected void assertNothingForbidden() {
        assertThat(cluster.requests(user)
                        .count(request ->
                                request.code() == 403 && !request.verb().equals("get")))
                .isZero();
    }
}
