package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.CosiPhase;
import io.bucketwright.testing.KStatus;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The API server stores every status that the controller can write, and kstatus reads the health from what it stored. */
@OnCluster
class StoredHealthIT {

    private static final String NAME = "photos";

    @Test
    void everyPhaseHasItsHealthInTheCluster(TestCluster cluster) {
        cluster.install(Crds.cosi());
        BucketRequest request = create(cluster, BucketRequest.class, "{protocol: s3, bucketClassName: none}");
        BucketAccessRequest accessRequest =
                create(cluster, BucketAccessRequest.class, "{bucketRequestName: photos, bucketAccessClassName: none}");
        assertThat(KStatus.of(request)).as("before any controller").isEqualTo(KStatus.IN_PROGRESS);
        assertThat(KStatus.of(accessRequest)).as("before any controller").isEqualTo(KStatus.IN_PROGRESS);
        check(cluster, request, BucketRequestPhase.values(), ExpectedHealth::of);
        check(cluster, accessRequest, BucketAccessRequestPhase.values(), ExpectedHealth::of);
        BucketAccess access = new BucketAccess();
        access.setMetadata(new ObjectMetaBuilder().withName(cluster.namespace()).build());
        access.setSpec(new BucketAccessSpec(
                NAME,
                cluster.namespace(),
                "none",
                new BucketRequestRef(cluster.namespace(), NAME, "none"),
                "",
                "",
                "none",
                "none",
                "none",
                "default/none.test",
                "s3",
                PolicyActions.NONE,
                Map.of()));
        BucketAccess created = cluster.admin().resource(access).create();
        try {
            assertThat(KStatus.of(created)).as("before any sidecar").isEqualTo(KStatus.IN_PROGRESS);
            check(cluster, access, BucketAccessPhase.values(), ExpectedHealth::of);
        } finally {
            cluster.forceDelete(access);
        }
    }

    private static <T extends CustomResource<?, CosiStatus>, P extends CosiPhase> void check(
            TestCluster cluster, T object, P[] phases, Function<P, KStatus> expected) {
        for (P phase : phases) {
            T stored = cluster.editStatus(
                    object,
                    current -> current.setStatus(Serialization.unmarshal(
                            Serialization.asJson(
                                    CosiCondition.of(phase, "Reason", "message").toStatus(current, Instant.now())),
                            CosiStatus.class)));
            assertThat(KStatus.of(cluster.admin().resource(stored).require()))
                    .as("%s in phase %s", object.getKind(), phase.text())
                    .isEqualTo(expected.apply(phase));
        }
    }

    private static <T extends CustomResource<?, CosiStatus>> T create(TestCluster cluster, Class<T> kind, String spec) {
        return cluster.admin()
                .resource(Serialization.unmarshal(
                        "---\n{apiVersion: %s/%s, kind: %s, metadata: {name: %s, namespace: %s}, spec: %s}"
                                .formatted(
                                        CosiNames.GROUP,
                                        CosiNames.VERSION,
                                        kind.getSimpleName(),
                                        NAME,
                                        cluster.namespace(),
                                        spec),
                        kind))
                .create();
    }
}
