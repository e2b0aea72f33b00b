package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens a fixture before each test and closes it afterwards. */
abstract class BucketTestBase {

    @SuppressWarnings("NullAway.Init")
    TestCluster cluster;

    @SuppressWarnings("NullAway.Init")
    BucketFixture bench;

    @SuppressWarnings("NullAway.Init")
    MemoryStore store;

    @BeforeEach
    void open(TestCluster ofThisTest) {
        cluster = ofThisTest;
        bench = new BucketFixture(cluster);
        store = bench.store;
    }

    /** Binds a claim of a class that is in use already: that needs no read. */
    void bindWithoutReads(ApiUser user, String name, String storageClass) {
        RequestCounts binding = bench.bindCounted(user, name, storageClass);
        assertThat(binding.writes()).as("%s", binding).isEqualTo(7);
        assertThat(binding.reads()).as("%s", binding).isZero();
    }

    /** The names of that many claims. */
    static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(number -> prefix + number).toList();
    }

    /** The certificate of a server on this machine. */
    static SSLContext certificate(CertificateAuthority authority) {
        return authority
                .server(List.of("localhost"), List.of("127.0.0.1"))
                .tls(authority.credential().certificate());
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
