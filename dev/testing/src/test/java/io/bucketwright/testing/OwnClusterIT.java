package io.bucketwright.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInstance;

@OnCluster(own = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnClusterIT {

    private final Set<String> uids = new HashSet<>();

    /** The uid of kube-system identifies a cluster. */
    @RepeatedTest(2)
    void theTestsOfTheClassShareAClusterThatNoOtherClassUses(TestCluster cluster) {
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("only-in-own-cluster")
                        .endMetadata()
                        .build())
                .serverSideApply();
        uids.add(cluster.admin()
                .namespaces()
                .withName("kube-system")
                .require()
                .getMetadata()
                .getUid());
        assertThat(uids).hasSize(1);
    }
}
