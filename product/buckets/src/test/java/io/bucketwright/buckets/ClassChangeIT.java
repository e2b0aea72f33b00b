package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.FaultProxy;
import io.bucketwright.testing.OnCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A store gets other certificates and another port; its class is deleted and created again. */
@OnCluster(with = AddOn.S3)
class ClassChangeIT extends BucketTestBase {

    private static final int CLAIMS = Integer.getInteger("bucketwright.change.claims", 4);

    @Test
    void boundClaimsFollowTheirClassToNewCertificatesAndANewPortAndTheirKeysWorkAllTheTime() throws Exception {
        StoreAccess access = bench.s3Administrator();
        CertificateAuthority first = CertificateAuthority.create();
        CertificateAuthority second = CertificateAuthority.create();
        List<String> claims = names("claim-", CLAIMS);
        ApiUser user = cluster.user("change");
        Map<String, Map<String, String>> keys = new HashMap<>();
        String former;
        try (FaultProxy proxy = FaultProxy.tls(access.endpoint(), certificate(first))) {
            bench.startInstalledStores(user);
            String storageClass = bench.storageClass("tls", parameters(access, proxy, first, Map.of()));
            for (String claim : claims) {
                bench.bind(claim, storageClass);
                keys.put(claim, bench.keys(claim));
                assertThat(bench.config(claim))
                        .containsEntry("BUCKET_ENDPOINT", proxy.url())
                        .containsEntry("ca-bundle.crt", pem(first));
            }
            former = proxy.url();
            bench.deleteClass(storageClass);
        }
        Applications applications = applications(access, keys);
        try (FaultProxy proxy = FaultProxy.tls(access.endpoint(), certificate(second))) {
            String storageClass =
                    bench.storageClass("tls", parameters(access, proxy, second, Map.of("sameStoreAs", former)));
            for (String claim : claims) {
                Eventually.await("the new endpoint of " + claim)
                        .until(() -> proxy.url().equals(bench.config(claim).get("BUCKET_ENDPOINT"))
                                && pem(second).equals(bench.config(claim).get("ca-bundle.crt")));
                assertThat(bench.keys(claim)).as("no key is rotated").isEqualTo(keys.get(claim));
                assertThat(bench.bucketOf(claim)
                                .getSpec()
                                .recordedIntent()
                                .orElseThrow()
                                .parameters())
                        .containsEntry("endpoint", proxy.url());
            }
            applications.stopWithoutFailure();

            bench.rotate(claims.getFirst());
            Eventually.await("a rotation at the new endpoint")
                    .until(() -> !bench.keys(claims.getFirst()).equals(keys.get(claims.getFirst())));
            bench.bind("later", storageClass);
            bench.remove(claims.toArray(String[]::new));
            bench.remove("later");
        }
    }

    @Test
    void boundClaimsFollowTheirClassToAnotherHostNameAndThroughAProxyAndTheirKeysWorkAllTheTime() throws Exception {
        StoreAccess access = bench.s3Administrator();
        List<String> claims = names("claim-", CLAIMS);
        Map<String, Map<String, String>> keys = new HashMap<>();
        bench.startInstalledStores(cluster.user("change"));
        Map<String, String> purge = Map.of("onNotEmpty", "purge");
        String storageClass = bench.storageClass("host", bench.s3Parameters(access, purge));
        for (String claim : claims) {
            bench.bind(claim, storageClass);
            keys.put(claim, bench.keys(claim));
            assertThat(bench.config(claim)).containsEntry("BUCKET_ENDPOINT", access.endpoint());
        }
        String renamed = access.endpoint().replace("127.0.0.1", "localhost");
        assertThat(renamed).isNotEqualTo(access.endpoint());
        try (ForwardProxy proxy = new ForwardProxy()) {
            Applications applications = applications(access, keys);
            bench.deleteClass(storageClass);
            Map<String, String> changed = new HashMap<>(purge);
            changed.put("endpoint", renamed);
            changed.put("proxy", proxy.url());
            changed.put("sameStoreAs", access.endpoint());
            bench.storageClass("host", bench.s3Parameters(access, changed));
            for (String claim : claims) {
                Eventually.await("the new host name of " + claim)
                        .until(() -> renamed.equals(bench.config(claim).get("BUCKET_ENDPOINT")));
                assertThat(bench.keys(claim)).as("no key is rotated").isEqualTo(keys.get(claim));
                assertThat(bench.bucketOf(claim)
                                .getSpec()
                                .recordedIntent()
                                .orElseThrow()
                                .parameters())
                        .containsEntry("proxy", proxy.url());
            }
            applications.stopWithoutFailure();
            assertThat(proxy.connections()).isPositive();
            bench.remove(claims.toArray(String[]::new));
        }
    }

    private Applications applications(StoreAccess access, Map<String, Map<String, String>> keys) {
        return new Applications(keys.keySet(), claim -> {
            String bucket = bench.bucketName(claim);
            return Applications.s3(access, bucket, () -> keys.getOrDefault(claim, Map.of()));
        });
    }

    private Map<String, String> parameters(
            StoreAccess access, FaultProxy proxy, CertificateAuthority trusted, Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(bench.s3Parameters(
                access, Map.of("endpoint", proxy.url(), "caBundle", pem(trusted), "onNotEmpty", "purge")));
        // The server of users has no TLS.
        parameters.putAll(more);
        return parameters;
    }

    private static String pem(CertificateAuthority authority) {
        return authority.credential().certificatePem();
    }
}
