package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.cosi.requests.OperationMetrics.Status;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RequestOperationsTest {

    private static final Instant BEGAN = Instant.parse("2030-01-01T00:00:00Z");

    @Test
    void aRequestThatNeverHadAProvisionerHasADriverNameToo() {
        BucketRequest request = new BucketRequest();
        request.setMetadata(new ObjectMetaBuilder()
                .withCreationTimestamp(BEGAN.toString())
                .withDeletionTimestamp(BEGAN.toString())
                .build());
        assertThat(RequestOperations.deleted(request, ""))
                .isEqualTo(new Operation("unknown-driver", "BucketRequest", "Create", Status.CANCELED, BEGAN));
    }
}
