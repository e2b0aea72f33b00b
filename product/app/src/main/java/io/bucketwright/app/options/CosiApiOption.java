package io.bucketwright.app.options;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.cosi.controller.claims.BucketClaimController;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** Which API groups of COSI the controller serves. */
public final class CosiApiOption {

    private static final String RELEASED = ReleasedNames.GROUP;
    private static final String AUTO = "auto";
    private static final String ALL = "all";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Option(
            names = "--cosi-api",
            defaultValue = RELEASED,
            paramLabel = "objectstorage.k8s.io|cosi.io|all|auto",
            description = "API group of COSI to serve: objectstorage.k8s.io (BucketClaims, as released), cosi.io"
                    + " (BucketRequests, the design of 2020), all, or auto: those whose CRDs are installed when the process"
                    + " starts (default: ${DEFAULT-VALUE}).")
    private String value = RELEASED;

    /** As on the command line. */
    public String value() {
        return value;
    }

    /**
     * The controllers to run, by the name of their Lease. None if the cluster has only {@code objectstorage.k8s.io/v1alpha2},
     * which other controllers may serve.
     *
     * @throws CommandException if the flag selects {@code objectstorage.k8s.io}, and the cluster has only the CRDs of v1alpha2
     */
    public Map<String, ControllerProcessBuilder<?>> builders(ControllerProcess process, int workers) {
        Map<String, ControllerProcessBuilder<?>> builders = new LinkedHashMap<>();
        boolean released = isWanted(ReleasedNames.GROUP);
        boolean designed = isWanted(CosiNames.GROUP);
        Optional<String> refusal = released || value.equals(AUTO) ? refusal(process) : Optional.empty();
        if (refusal.isPresent() && released) {
            throw new CommandException(refusal.get()
                    + " To leave these objects to another controller, set --cosi-api to cosi.io or auto.");
        }
        if (value.equals(AUTO)) {
            released = isInstalled(process, ReleasedNames.GROUP, ReleasedNames.VERSION);
            designed = isInstalled(process, CosiNames.GROUP, CosiNames.VERSION);
        }
        if (!released && !designed) {
            if (!value.equals(AUTO)) {
                throw new IllegalArgumentException(
                        "--cosi-api is \"" + value + "\": set it to objectstorage.k8s.io, cosi.io, all or auto");
            }
            if (refusal.isPresent()) {
                log().warn("No objects of COSI are served. {}", refusal.get());
                return builders;
            }
            // Neither is installed: readiness then reports which CRDs are missing.
            released = true;
            designed = true;
        }
        if (designed) {
            builders.put("bucketwright-cosi", CosiController.builder().workers(workers));
        }
        if (released) {
            builders.put(
                    "bucketwright-bucketclaims", BucketClaimController.builder().workers(workers));
        }
        return builders;
    }

    private boolean isWanted(String group) {
        return value.equals(ALL) || value.equals(group);
    }

    private static boolean isInstalled(ControllerProcess process, String group, String version) {
        // An API server that does not respond may serve the group: then the process waits for it.
        boolean served = isServed(process, group, version, true);
        if (!served) {
            log().info(
                            "The CRDs of {} are not installed, so its objects are not served. After you install them, start"
                                    + " this process again.",
                            group);
        }
        return served;
    }

    /**
     * Why v1alpha1 of {@code objectstorage.k8s.io} cannot be served: the cluster has the CRDs of v1alpha2. That version is not
     * released, and its CRDs have the names of those of v1alpha1 and no conversion, so a cluster serves one of them, and a
     * process for v1alpha1 must not start on the others. Empty also if it has neither, which readiness reports, and if the API
     * server does not respond, which the process waits for.
     */
    public static Optional<String> refusal(ControllerProcess process) {
        if (isServed(process, RELEASED, ReleasedNames.VERSION, true)
                || !isServed(process, RELEASED, "v1alpha2", false)) {
            return Optional.empty();
        }
        return Optional.of(
                "The CRDs of objectstorage.k8s.io in this cluster are those of v1alpha2, which is not released, and this"
                        + " process serves v1alpha1. The CRDs of both versions have the same names, so a cluster has one of"
                        + " them. Use another cluster, or delete the objects and CRDs of v1alpha2 and then install those of"
                        + " v1alpha1: bucketwright crds --only objectstorage | kubectl apply --server-side --field-manager"
                        + " bucketwright -f -");
    }

    private static boolean isServed(ControllerProcess process, String group, String version, boolean otherwise) {
        try {
            return process.serves(group, version, TIMEOUT);
        } catch (IOException e) {
            log().debug("Cannot tell whether {} of {} is served", version, group, e);
            return otherwise;
        }
    }

    /** Not a field: a logger that is created before the flags are parsed would fix the log format. */
    private static Logger log() {
        return LoggerFactory.getLogger(CosiApiOption.class);
    }
}
