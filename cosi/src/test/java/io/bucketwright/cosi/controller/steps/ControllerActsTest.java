package io.bucketwright.cosi.controller.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketRequestSpec;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.ReconcileState;
import io.bucketwright.cosi.controller.steps.OperationMetrics.Operation;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControllerActsTest {

    @Test
    void aRequestIsNotDeletedBeforeABucketThatTheWatchHasNotShownYet() {
        try (InMemoryProcess process =
                new InMemoryProcess(new InMemoryApiServer(), new ManualTime(), new ManualLeadership())) {
            BucketRequest request = new BucketRequest();
            request.setMetadata(new ObjectMetaBuilder()
                    .withNamespace("team")
                    .withName("photos")
                    .build());
            request.getMetadata().setFinalizers(List.of(CosiNames.FINALIZER));
            request.setSpec(Specs.of(BucketRequestSpec.class, "bucketInstanceName", "bucket-photos-team"));
            BucketRequest created = process.context().writer().create(request);
            Bucket bucket = new Bucket();
            bucket.setMetadata(
                    new ObjectMetaBuilder().withName("bucket-photos-team").build());
            bucket.setSpec(Specs.of(
                    BucketSpec.class,
                    "bucketRequest",
                    new BucketRequestRef("team", "photos", created.getMetadata().getUid())));
            Bucket unseen = process.context().writer().create(bucket);
            ControllerStep step = new ControllerStep.RemoveFinalizerWithoutBucket(created, Operation.NONE);
            ControllerActs acts = ControllerActs.of(
                    process.context(),
                    new AccessSecrets(new CosiCaches(process.context().caches())),
                    new ReconcileState());

            assertThat(acts.act(step)).isInstanceOf(Outcome.Finish.class);
            process.context().writer().delete(unseen);
            assertThat(acts.act(step)).isEqualTo(Outcome.progress());
        }
    }
}
