package io.bucketwright.app.cosi;

import io.bucketwright.app.options.LeaderElectionOptions;
import io.bucketwright.app.options.LeaseNamespaceOption;
import io.bucketwright.app.options.PositiveNumberConverter;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.runtime.engine.ControllerProcess;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi controller}: the same as {@code bucketwright controller --only cosi}. */
@Command(
        name = "controller",
        mixinStandardHelpOptions = true,
        description = {
            "Binds BucketRequests and BucketAccessRequests. The sidecar of each provisioner provisions the buckets.",
            "The same as `bucketwright controller --only cosi`. See docs/cosi.md."
        })
final class CosiControllerCommand extends ControllerProcessCommand {

    @Option(
            names = "--workers",
            defaultValue = "16",
            paramLabel = "N",
            converter = PositiveNumberConverter.class,
            description = "Number of objects of each kind that are reconciled at once (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Mixin
    private LeaderElectionOptions leaderElection = new LeaderElectionOptions();

    @Mixin
    private LeaseNamespaceOption leaseNamespace = new LeaseNamespaceOption();

    @Override
    protected void addControllers(ControllerProcess process, String ownNamespace) {
        CosiController.Builder builder = CosiController.builder().workers(workers);
        leaderElection.apply(builder, leaseNamespace.orElse(ownNamespace), "bucketwright-cosi");
        builder.addTo(process);
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("workers", workers);
    }
}
