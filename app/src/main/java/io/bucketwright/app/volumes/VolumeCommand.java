package io.bucketwright.app.volumes;

import io.bucketwright.app.options.KlogOptions;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.fabric8.kubernetes.client.Config;
import java.net.InetSocketAddress;
import java.util.Map;
import org.slf4j.Logger;
import picocli.CommandLine.Mixin;

/** Base class of the two volume controllers that replace programs in Go. */
abstract class VolumeCommand extends ControllerProcessCommand {

    @Mixin
    private VolumeProcessOptions options = new VolumeProcessOptions();

    @Mixin
    private KlogOptions klog = new KlogOptions();

    /** Wires the controller. */
    abstract Controllers build(Config client, InetSocketAddress status, VolumeProcessOptions flags);

    /** Sets what all controllers have. */
    final <B extends ControllerProcessBuilder<B>> B common(B builder, Config client, InetSocketAddress status) {
        return builder.client(client)
                .lease(options.leaseNamespace(), options.leaseName(), options.timing())
                .identity(options.identity().isBlank() ? uniqueIdentity() : options.identity())
                .status(status);
    }

    @Override
    protected final Controllers build(Config client, InetSocketAddress status) {
        options.check();
        return build(client, status, options);
    }

    @Override
    protected void warn(Logger log) {
        klog.warnAboutIgnored(log);
    }

    final VolumeProcessOptions options() {
        return options;
    }

    @Override
    protected final Map<String, ?> description() {
        return Map.of("controllerId", options.id(), "lease", options.leaseNamespace() + "/" + options.leaseName());
    }
}
