package io.bucketwright.app.options;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import picocli.CommandLine.Option;

/** {@code --listen}: the address of the status server. */
public final class ListenOption {

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:0",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description = "Address that serves /livez, /readyz and /metrics. Port 0 selects a free port (default:"
                    + " ${DEFAULT-VALUE}).")
    private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    public InetSocketAddress address() {
        return address;
    }

    /** As the user writes it. */
    public String text() {
        return address.getHostString() + ":" + address.getPort();
    }
}
