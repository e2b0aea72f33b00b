package io.bucketwright.app.options;

import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * The versions of {@code objectstorage.k8s.io}. The CRDs of v1alpha2, which is not released, have the names of those of
 * v1alpha1 and no conversion, so a cluster serves one of them, and a process for v1alpha1 must not start on the others.
 */
public final class ObjectStorageVersions {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private ObjectStorageVersions() {}

    /**
     * Why v1alpha1 cannot be served: the cluster has the CRDs of v1alpha2. Empty also if it has neither, which readiness
     * reports, and if the API server does not respond, which the process waits for.
     */
    public static Optional<String> refusal(ControllerProcess process) {
        if (isServed(process, ReleasedNames.VERSION, true) || !isServed(process, "v1alpha2", false)) {
            return Optional.empty();
        }
        return Optional.of(
                "The CRDs of objectstorage.k8s.io in this cluster are those of v1alpha2, which is not released, and this"
                        + " process serves v1alpha1. The CRDs of both versions have the same names, so a cluster has one of"
                        + " them. Use another cluster, or delete the objects and CRDs of v1alpha2 and then install those of"
                        + " v1alpha1: bucketwright crds --only objectstorage | kubectl apply --server-side --field-manager"
                        + " bucketwright -f -");
    }

    private static boolean isServed(ControllerProcess process, String version, boolean otherwise) {
        try {
            return process.serves(ReleasedNames.GROUP, version, TIMEOUT);
        } catch (IOException e) {
            LoggerFactory.getLogger(ObjectStorageVersions.class)
                    .debug("Cannot tell whether {} of {} is served", version, ReleasedNames.GROUP, e);
            return otherwise;
        }
    }
}
