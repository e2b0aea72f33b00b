package io.bucketwright.app.options;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** {@code --listen}, or another flag: the address of the status server. */
public final class ListenOption extends AddedOption<InetSocketAddress> {

    private static final Pattern SYNTAX = Pattern.compile("(.*):(\\d{1,5})");

    public ListenOption() {
        this("--listen");
    }

    /** For a command whose {@code --listen} is something else. */
    public ListenOption(String flag) {
        super(OptionSpec.builder(flag)
                .type(InetSocketAddress.class)
                .converters(ListenOption::parse)
                .defaultValue("127.0.0.1:0")
                .paramLabel("HOST:PORT")
                .description(
                        "Address that serves /livez, /readyz and /metrics. Port 0 selects a free port, an empty host"
                                + " all interfaces (default: ${DEFAULT-VALUE})."));
    }

    /** Parses {@code HOST:PORT}; an IPv6 address is in brackets. {@code :PORT} is all interfaces, as in Go. */
    static InetSocketAddress parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
        if (port < 0 || port > 0xffff) {
            throw new TypeConversionException("\"" + text + "\" is not HOST:PORT");
        }
        String host = matcher.group(1);
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }
}
