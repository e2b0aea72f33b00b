package io.bucketwright.cosi.vendors;

import java.util.Map;
import java.util.Optional;

/** The objects of {@code objectstorage.k8s.io} that some drivers read with a client of their own. */
public interface VendorCluster {

    /** The parameters of the Bucket object of this name; empty if it does not exist. */
    Optional<Map<String, String>> bucketParameters(String name);

    boolean hasAccess(String uid);

    /** Has every object, with the parameters of the vendor's classes. */
    static VendorCluster withEverything(Vendor vendor) {
        return new VendorCluster() {
            @Override
            public Optional<Map<String, String>> bucketParameters(String name) {
                return Optional.of(vendor.bucketParameters());
            }

            @Override
            public boolean hasAccess(String uid) {
                return true;
            }
        };
    }
}
