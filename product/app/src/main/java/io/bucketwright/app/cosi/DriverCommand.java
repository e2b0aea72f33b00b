package io.bucketwright.app.cosi;

import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.process.ServerCommand;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.store.errors.StoreException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright cosi driver}. */
@Command(
        name = "driver",
        mixinStandardHelpOptions = true,
        description = {
            "Serves an object store as a COSI driver on a UNIX socket.",
            "The store's administrator credentials are those in the request, otherwise those in --credentials,"
                    + " otherwise AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AZURE_STORAGE_KEY or"
                    + " GOOGLE_SERVICE_ACCOUNT_JSON in the environment."
                    + " See docs/cosi-driver.md."
        })
final class DriverCommand extends ServerCommand {

    @Mixin
    private DriverOptions options = new DriverOptions();

    @Mixin
    private AddedOption<String> listen = AddedOption.socket("--listen", "Socket to serve");

    @Mixin
    private AddedOption<InetSocketAddress> metricsListen = AddedOption.listen("--metrics-listen");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the driver; the provisioner in classes is <namespace>/NAME"
                    + " (default: <store>.bucketwright.io).")
    private String name = "";

    @Option(
            names = "--cluster-id",
            paramLabel = "ID",
            description =
                    "Id of the cluster in the ownership tags of buckets that the released API requests: the uid of"
                            + " the namespace kube-system. Without it, clusters whose drivers have one name share their buckets.")
    private String clusterId = "";

    @Override
    protected Server start(Logger log) {
        String driver = name.isBlank() ? options.store() + ".bucketwright.io" : name;
        if (clusterId.isBlank()) {
            log.warn(
                    "--cluster-id is not set: every cluster whose driver is called {} owns the buckets that this driver"
                            + " creates for objectstorage.k8s.io, and they are tagged with the cluster id {}. Set it to"
                            + " the uid of the namespace kube-system; see docs/cosi-driver.md",
                    driver,
                    CosiDriver.clusterIdOf(driver));
        }
        try {
            DriverProcess process =
                    DriverProcess.start(options, driver, clusterId.strip(), listen.value(), metricsListen.value());
            return new Server(
                    Map.of(
                            "driver",
                            process.name(),
                            "store",
                            options.store(),
                            "socket",
                            process.socket(),
                            "port",
                            process.metrics().port()),
                    process::close);
        } catch (IllegalArgumentException | StoreException.Invalid e) {
            throw usageError(e);
        }
    }
}
