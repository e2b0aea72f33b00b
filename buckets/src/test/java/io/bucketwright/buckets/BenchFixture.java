package io.bucketwright.buckets;

import io.bucketwright.testing.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens a bench before each test and closes it afterwards. */
abstract class BenchFixture {

    @SuppressWarnings("NullAway.Init")
    TestCluster cluster;

    @SuppressWarnings("NullAway.Init")
    Bench bench;

    @SuppressWarnings("NullAway.Init")
    MemoryStore store;

    @BeforeEach
    void open(TestCluster ofThisTest) {
        cluster = ofThisTest;
        bench = new Bench(cluster);
        store = bench.store;
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
