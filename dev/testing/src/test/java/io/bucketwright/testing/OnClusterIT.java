package io.bucketwright.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnClusterIT {

    private final Set<String> namespaces = new HashSet<>();

    @RepeatedTest(2)
    void eachTestHasANamespaceOfItsOwn(TestCluster cluster) {
        assertThat(namespaces.add(cluster.namespace())).isTrue();
        assertThat(cluster.admin().namespaces().withName(cluster.namespace()).get())
                .isNotNull();
    }

    @Test
    void noObjectOfAClassWithAClusterOfItsOwnIsHere(TestCluster cluster) {
        assertThat(cluster.admin().namespaces().withName("only-in-own-cluster").get())
                .isNull();
    }

    @Test
    void countsTheRequestsOfOneUserOnly(TestCluster cluster) {
        ApiUser user = cluster.user("counted");
        assertThat(cluster.requests(user).all()).isEmpty();
        try (KubernetesClient client = user.client()) {
            client.resource(cluster.configMap("a")).create();
            client.resource(cluster.configMap("a")).update();
            client.configMaps().inNamespace(cluster.namespace()).list();
            client.configMaps().inNamespace(cluster.namespace()).withName("b").get();
        }
        cluster.admin().resource(cluster.configMap("c")).create();

        RequestCounts requests = cluster.requests(user);

        assertThat(requests.of("create", "configmaps")).isEqualTo(1);
        assertThat(requests.of("update", "configmaps")).isEqualTo(1);
        assertThat(requests.lists()).isEqualTo(1);
        assertThat(requests.writes()).isEqualTo(2);
        assertThat(requests.toString()).contains("create configmaps 201=1", "get configmaps 404=1");
        assertThat(cluster.requests(user).since(requests).all()).isEmpty();
    }

    @Test
    void aUserWithRulesMayDoOnlyWhatTheyAllow(TestCluster cluster) {
        ApiUser user = cluster.user("reader", List.of(TestCluster.rule("", List.of("configmaps"), "get", "list")));
        try (KubernetesClient client = user.client()) {
            assertThat(client.configMaps()
                            .inNamespace(cluster.namespace())
                            .list()
                            .getItems())
                    .isNotNull();
            assertThatThrownBy(() -> client.resource(cluster.configMap("a")).create())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("forbidden");
        }
        assertThat(cluster.requests(user).of("create", "configmaps")).isEqualTo(1);
    }

    @Test
    void anEditThatNoLongerFitsIsMadeAgain(TestCluster cluster) {
        ConfigMap object = cluster.configMap("edited");
        object.getMetadata().setFinalizers(List.of("example.com/one", "example.com/two"));
        ConfigMap created = cluster.admin().resource(object).create();
        AtomicBoolean changed = new AtomicBoolean();
        ConfigMap edited = cluster.edit(created, it -> {
            if (changed.compareAndSet(false, true)) {
                cluster.edit(
                        created, other -> other.getMetadata().getFinalizers().remove("example.com/one"));
            }
            it.getMetadata().getFinalizers().remove("example.com/two");
        });
        assertThat(edited.getMetadata().getFinalizers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(CrashingClient.Moment.class)
    void aCrashingClientFailsAtItsNthWriteAndAtEveryLaterRequest(CrashingClient.Moment moment, TestCluster cluster) {
        CrashingClient crash = CrashingClient.atWrite(2, moment);
        ApiUser user = cluster.user("crashing");
        try (KubernetesClient client = crash.client(user.config())) {
            client.resource(cluster.configMap("first")).create();
            assertThat(client.configMaps()
                            .inNamespace(cluster.namespace())
                            .withName("first")
                            .get())
                    .isNotNull();
            assertThat(crash.died()).isFalse();

            assertThatThrownBy(
                            () -> client.resource(cluster.configMap("second")).create())
                    .hasStackTraceContaining("this process has crashed");

            assertThat(crash.died()).isTrue();
            assertThatThrownBy(() -> client.resource(cluster.configMap("third")).create())
                    .hasStackTraceContaining("this process has crashed");
            assertThatThrownBy(() -> client.configMaps()
                            .inNamespace(cluster.namespace())
                            .withName("first")
                            .get())
                    .hasStackTraceContaining("this process has crashed");
        }
        boolean took = moment == CrashingClient.Moment.AFTER_EFFECT;
        assertThat(exists(cluster, "second")).isEqualTo(took);
        assertThat(exists(cluster, "third")).isFalse();
        assertThat(cluster.requests(user).writes()).isEqualTo(took ? 2 : 1);
    }

    private static boolean exists(TestCluster cluster, String name) {
        return cluster.admin().resource(cluster.configMap(name)).get() != null;
    }
}
