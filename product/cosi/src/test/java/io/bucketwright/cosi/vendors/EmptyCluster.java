package io.bucketwright.cosi.vendors;

import java.util.Map;
import java.util.Optional;

/** Has no objects: somebody removed them, or the kinds of another group are in use. */
final class EmptyCluster implements VendorCluster {

    @Override
    public Optional<Map<String, String>> bucketParameters(String name) {
        return Optional.empty();
    }

    @Override
    public boolean hasAccess(String uid) {
        return false;
    }
}
