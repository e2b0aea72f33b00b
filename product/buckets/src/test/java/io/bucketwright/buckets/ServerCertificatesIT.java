package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.FaultProxy;
import io.bucketwright.testing.OnCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API server and its users get certificates of another authority, while claims are bound and used. */
@OnCluster(with = AddOn.S3)
class ServerCertificatesIT extends BucketTestBase {

    private static final int CLAIMS = Integer.getInteger("bucketwright.change.claims", 3);

    @TempDir
    private Path files;

    @Test
    void certificatesOfAnotherAuthorityAreUsedWithoutARestartAndKeysWorkAllTheTime() throws Exception {
        CertificateAuthority first = CertificateAuthority.create();
        CertificateAuthority second = CertificateAuthority.create();
        StoreAccess access = bench.s3Administrator();
        save(first);
        try (FaultProxy proxy = FaultProxy.to(cluster.user("certificates"), certificate(first))) {
            bench.startInstalledStores(config(proxy));
            String storageClass = bench.storageClass("any", bench.s3Parameters(access, Map.of("onNotEmpty", "purge")));
            Map<String, String> buckets = new HashMap<>();
            Map<String, Map<String, String>> keys = new HashMap<>();
            List<String> claims = names("claim-", CLAIMS);
            for (String claim : claims) {
                buckets.put(claim, bench.bind(claim, storageClass));
                keys.put(claim, bench.keys(claim));
            }
            Applications applications = new Applications(
                    claims,
                    claim -> Applications.s3(
                            access, buckets.getOrDefault(claim, ""), () -> keys.getOrDefault(claim, Map.of())));
            proxy.replaceCertificate(certificate(second));
            proxy.disconnect();
            save(second);
            bench.bind("later", storageClass);
            applications.stopWithoutFailure();

            bench.rotate(claims.getFirst());
            Eventually.await("a rotation")
                    .until(() -> !bench.keys(claims.getFirst()).equals(keys.get(claims.getFirst())));
            assertThat(bench.keys(claims.getLast())).isEqualTo(keys.get(claims.getLast()));
            bench.remove(claims.toArray(String[]::new));
            bench.remove("later");
        }
    }

    private Config config(FaultProxy proxy) {
        return new ConfigBuilder(proxy.config())
                .withCaCertFile(files.resolve("ca.crt").toString())
                .withClientCertFile(files.resolve("client.crt").toString())
                .withClientKeyFile(files.resolve("client.key").toString())
                .build();
    }

    private void save(CertificateAuthority authority) throws IOException {
        Files.writeString(files.resolve("ca.crt"), authority.credential().certificatePem());
        authority.client("controller", List.of()).save(files, "client");
    }
}
