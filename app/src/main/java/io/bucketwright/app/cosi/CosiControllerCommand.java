package io.bucketwright.app.cosi;

import io.bucketwright.app.controller.ControllerOptions;
import io.bucketwright.app.controller.ControllerRole;
import io.bucketwright.app.controller.Roles;
import io.bucketwright.app.controller.VolumeOptions;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.app.options.LeaderElectionOptions;
import io.bucketwright.app.options.LeaseNamespaceOption;
import io.bucketwright.app.options.PositiveNumberConverter;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.fabric8.kubernetes.client.Config;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
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
    protected Controllers build(Config client, InetSocketAddress status) {
        ControllerOptions options = new ControllerOptions(
                List.of(ControllerRole.COSI),
                "",
                "",
                "",
                workers,
                leaderElection.enabled(),
                leaseNamespace.orElse(ApiServerOptions.namespace(client)),
                leaderElection.timing(),
                uniqueIdentity(),
                status,
                Duration.ZERO,
                true,
                false,
                Duration.ZERO);
        ControllerProcess process = Roles.open(client, options, new VolumeOptions());
        return new Controllers(process::start, process::port, process::close);
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("roles", ControllerRole.COSI);
    }
}
