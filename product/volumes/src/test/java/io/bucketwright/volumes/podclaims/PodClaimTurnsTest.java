package io.bucketwright.volumes.podclaims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Many pods of one namespace do not delay the pod of another. */
class PodClaimTurnsTest {

    private final InMemoryApiServer server = new InMemoryApiServer();

    @Test
    void theNamespaceWithFewerPodsGoesFirst() {
        for (int i = 0; i < 20; i++) {
            pod("crowded", "pod-" + i);
        }
        pod("quiet", "only");
        try (InMemoryProcess process = new InMemoryProcess(server, new ManualTime(), new ManualLeadership())) {
            PodClaimController.register(process.context(), new PodClaimDecision(new ControllerId("me"), false), "", 1);
            process.start();
            process.runNext();
            assertThat(server.list(PersistentVolumeClaim.class))
                    .extracting(claim -> claim.getMetadata().getNamespace())
                    .containsExactly("quiet");
        }
    }

    private void pod(String namespace, String name) {
        Pod pod = Serialization.unmarshal("""
                metadata: {namespace: %s, name: %s}
                spec:
                  volumes:
                  - {name: data, persistentVolumeClaim: {claimName: cache-%s}}
                status: {phase: Pending}
                """.formatted(namespace, name, name), Pod.class);
        pod.getMetadata()
                .setAnnotations(Map.of(
                        PodClaimAnnotations.PREFIX + "data.enabled",
                        "true",
                        PodClaimAnnotations.PREFIX + "data.pvc",
                        VolumeFixture.template("fast")));
        server.create(pod);
    }
}
