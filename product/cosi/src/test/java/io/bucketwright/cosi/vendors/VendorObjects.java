package io.bucketwright.cosi.vendors;

import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.testing.TestCluster;
import java.util.Map;
import java.util.Optional;

/** The objects on a real API server, as the client of a driver reads them. */
record VendorObjects(TestCluster cluster) implements VendorCluster {

    @Override
    public Optional<Map<String, String>> bucketParameters(String name) {
        return Optional.ofNullable(cluster.admin()
                        .resources(ReleasedBucket.class)
                        .withName(name)
                        .get())
                .map(bucket -> bucket.spec().parameters());
    }

    @Override
    public boolean hasAccess(String uid) {
        return cluster.admin().resources(ReleasedBucketAccess.class).inAnyNamespace().list().getItems().stream()
                .anyMatch(access -> access.getMetadata().getUid().equals(uid));
    }
}
