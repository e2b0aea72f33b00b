package io.bucketwright.app.options;

import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * The versions of {@code objectstorage.k8s.io}. Their CRDs have the same names and no conversion, so a cluster serves one of
 * them, and a process for the other one must not start.
 */
public final class ObjectStorageVersions {

    private static final String EXPERIMENTAL = "v1alpha2";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private ObjectStorageVersions() {}

    /**
     * Why objects of v1alpha1 cannot be served: the cluster has the CRDs of v1alpha2. Empty also if it has neither, which
     * readiness reports, and if the API server does not respond, which the process waits for.
     */
    public static Optional<String> refusal(ControllerProcess process) {
        return isServed(process, ReleasedNames.VERSION) || !isServed(process, EXPERIMENTAL)
                ? Optional.empty()
                : Optional.of(
                        "The CRDs of objectstorage.k8s.io in this cluster are those of v1alpha2, which is not"
                                + " released, and Bucketwright serves v1alpha1. The CRDs of both versions have the same names, so"
                                + " a cluster has one of them. Use a cluster without v1alpha2, or delete its objects and CRDs and"
                                + " then install those of v1alpha1: bucketwright crds --only objectstorage | kubectl apply -f -");
    }

    /**
     * Why a sidecar with the flag {@value ExperimentalCosiOption#NAME} cannot serve objects of {@code objectstorage.k8s.io},
     * of either version.
     */
    public static String experimentalRefusal(ControllerProcess process) {
        return isServed(process, ReleasedNames.VERSION)
                ? "The CRDs of objectstorage.k8s.io in this cluster are those of v1alpha1, and "
                        + ExperimentalCosiOption.NAME
                        + " is for v1alpha2. The CRDs of both versions have the same names,"
                        + " so a cluster has one of them. Remove the flag to serve v1alpha1 with a driver that speaks"
                        + " cosi.v1alpha1, or set --provisioner to serve cosi.io with a driver of v1alpha2."
                : ExperimentalCosiOption.NAME + " is for drivers of v1alpha2 and objects of cosi.io: set --provisioner."
                        + " Bucketwright does not serve the objects of objectstorage.k8s.io/v1alpha2.";
    }

    private static boolean isServed(ControllerProcess process, String version) {
        try {
            return process.serves(ReleasedNames.GROUP, version, TIMEOUT);
        } catch (IOException e) {
            LoggerFactory.getLogger(ObjectStorageVersions.class)
                    .debug("Cannot tell whether {} of {} is served", version, ReleasedNames.GROUP, e);
            return version.equals(ReleasedNames.VERSION);
        }
    }
}
