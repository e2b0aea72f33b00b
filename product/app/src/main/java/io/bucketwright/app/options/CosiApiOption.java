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
        Optional<String> refusal =
                released || value.equals(AUTO) ? ObjectStorageVersions.refusal(process) : Optional.empty();
        if (refusal.isPresent() && released) {
            throw new CommandException(refusal.get()
                    + " To leave these objects to another controller, set --cosi-api to cosi.io or auto.");
        }
        if (value.equals(AUTO)) {
            released = isServed(process, ReleasedNames.GROUP, ReleasedNames.VERSION);
            designed = isServed(process, CosiNames.GROUP, CosiNames.VERSION);
        }
        if (!released && !designed) {
            if (!value.equals(AUTO)) {
                throw new IllegalArgumentException(
                        "--cosi-api is \"" + value + "\": set it to objectstorage.k8s.io, cosi.io, all or auto");
            }
            if (refusal.isPresent()) {
                LoggerFactory.getLogger(CosiApiOption.class).warn("No objects of COSI are served. {}", refusal.get());
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

    /** An API server that does not respond may serve the group: then the process waits for it. */
    private static boolean isServed(ControllerProcess process, String group, String version) {
        // Not a field: a logger that is created before the flags are parsed would fix the log format.
        Logger log = LoggerFactory.getLogger(CosiApiOption.class);
        try {
            boolean served = process.serves(group, version, TIMEOUT);
            if (!served) {
                log.info(
                        "The CRDs of {} are not installed, so its objects are not served. After you install them, start"
                                + " this process again.",
                        group);
            }
            return served;
        } catch (IOException e) {
            log.debug("Cannot tell whether {} is installed", group, e);
            return true;
        }
    }
}
