package io.bucketwright.app.cosi;

import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.process.ServerCommand;
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

    @Override
    protected Server start(Logger log) {
        try {
            DriverProcess process = DriverProcess.start(
                    options,
                    name.isBlank() ? options.store() + ".bucketwright.io" : name,
                    listen.value(),
                    metricsListen.value());
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
