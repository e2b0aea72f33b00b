package io.bucketwright.app.options;

import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
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

    private static final String SAME_NAMES =
            " The CRDs of both versions have the same names, so a cluster has one of them.";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private ObjectStorageVersions() {}

    /**
     * Why the selected version cannot be served: the cluster has the CRDs of the other one. Empty also if it has neither,
     * which readiness reports, and if the API server does not respond, which the process waits for.
     *
     * @param experimental whether v1alpha2 is selected
     */
    public static Optional<String> refusal(ControllerProcess process, boolean experimental) {
        String wanted = experimental ? V1alpha2Names.VERSION : ReleasedNames.VERSION;
        String other = experimental ? ReleasedNames.VERSION : V1alpha2Names.VERSION;
        if (isServed(process, wanted, true) || !isServed(process, other, false)) {
            return Optional.empty();
        }
        return Optional.of(
                experimental
                        ? "The CRDs of objectstorage.k8s.io in this cluster are those of v1alpha1, and "
                                + ExperimentalCosiOption.NAME + " selects v1alpha2." + SAME_NAMES
                                + " Remove the flag to serve v1alpha1, or use a cluster with the CRDs of v1alpha2."
                        : "The CRDs of objectstorage.k8s.io in this cluster are those of v1alpha2, which is not released, and this"
                                + " process serves v1alpha1." + SAME_NAMES + " To try v1alpha2, set "
                                + ExperimentalCosiOption.NAME
                                + ". Otherwise use another cluster, or delete the objects and CRDs of"
                                + " v1alpha2 and then install those of v1alpha1: bucketwright crds --only objectstorage | kubectl"
                                + " apply --server-side --field-manager bucketwright -f -");
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
