package io.bucketwright.runtime;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;

/** Objects as the API server returns them. */
public final class TestObjects {

    private TestObjects() {}

    /** A ConfigMap in the namespace {@code ns}. */
    public static ConfigMap configMap(String name, String uid, String version) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withUid(uid)
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }
}
