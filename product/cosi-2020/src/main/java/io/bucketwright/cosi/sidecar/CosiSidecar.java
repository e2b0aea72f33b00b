package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.SidecarBuilder;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.SafeText;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar of a COSI driver. It provisions the Buckets and BucketAccesses of one provisioner with the driver at one
 * socket, or with one in the same process.
 *
 * {@snippet :
 * try (ControllerProcess sidecar = CosiSidecar.builder()
 *         .provisioner("store/s3.example.com")
 *         .driver("unix:///run/cosi/cosi.sock")
 *         .build()) {
 *     sidecar.run();
 * }
 * }
 */
public final class CosiSidecar {

    private CosiSidecar() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of a sidecar. The provisioner and the driver are required. */
    public static final class Builder extends SidecarBuilder<Builder> {

        private @Nullable Provisioner provisioner;
        private Set<String> secretNamespaces = Set.of();
        private Map<String, String> secretNamespaceSelector = Map.of();

        private Builder() {}

        /** The provisioner as classes name it: {@code <namespace>/<name>}. */
        public Builder provisioner(String text) {
            provisioner = Provisioner.of(text)
                    .orElseThrow(() -> new IllegalArgumentException("The provisioner " + SafeText.quoted(text)
                            + " must be <namespace>/<name>, such as store/s3.example.com."));
            return this;
        }

        /** Namespaces besides the provisioner's own that may contain provisioner secrets. */
        public Builder secretNamespaces(Set<String> value) {
            secretNamespaces = Set.copyOf(value);
            return this;
        }

        /**
         * Labels of further namespaces that may contain provisioner secrets, also of those that are created later. The sidecar
         * then lists and watches namespaces; empty for none.
         */
        public Builder secretNamespaceSelector(Map<String, String> labels) {
            secretNamespaceSelector = Map.copyOf(labels);
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            Provisioner served = provisioner;
            if (served == null) {
                throw new IllegalStateException("A sidecar needs a provisioner: call provisioner(...).");
            }
            CallSettings settings = new CallSettings(served.name(), driverTimeout(), context.meters());
            DriverConnection connection = connect(
                    context,
                    process,
                    List.of(served.toString(), served.name()),
                    channel -> List.of(
                            new CosiV1Driver(channel, settings, context.clusterId()),
                            new ReleasedDriver(channel, settings)));
            SidecarContext sidecar = new SidecarContext(
                    context,
                    served,
                    workers(),
                    new SidecarCaches(context.caches(), served),
                    new ProvisionerSecrets(context.caches(), served, secretNamespaces, secretNamespaceSelector),
                    connection);
            SidecarBucketController.register(sidecar);
            SidecarAccessController.register(sidecar);
            LostAccessController.register(sidecar);
        }
    }
}
