package io.bucketwright.app.options;

import io.bucketwright.runtime.leader.LeaseTiming;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * A flag that several commands have, some of them with another name, default or description. Use it as a mixin.
 *
 * @param <T> the type of its value
 */
@Command
public class AddedOption<T> {
    private static final Pattern ADDRESS = Pattern.compile("(.*):(\\d{1,5})");

    private final OptionSpec option;

    /** @param option required, or with a default value */
    AddedOption(OptionSpec.Builder option) {
        this.option = option.build();
    }

    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        command.addOption(option);
    }

    public final T value() {
        return option.getValue();
    }

    /** Format of the output of a command. */
    public enum Format {
        TEXT,
        JSON
    }

    /** {@code --output}: text or JSON. */
    public static AddedOption<Format> output(String description) {
        return new AddedOption<>(OptionSpec.builder("-o", "--output")
                .type(Format.class)
                .defaultValue("text")
                .paramLabel("text|json")
                .description(description));
    }

    /**
     * A flag with a duration.
     *
     * @param description without the default, which is added
     */
    public static AddedOption<Duration> duration(String name, String byDefault, String description) {
        return converted(name, Duration.class, new DurationConverter(), byDefault, "DURATION", description);
    }

    /** {@code --lease-duration}; the renew deadline and the retry period are derived from it. */
    public static AddedOption<LeaseTiming> leaseDuration() {
        return converted(
                "--lease-duration",
                LeaseTiming.class,
                AddedOption::parseLeaseTiming,
                "15s",
                "DURATION",
                "Lease duration: the time after which another process may replace a leader that no longer renews its lease");
    }

    /**
     * {@code --workers}: a whole number of at least 1.
     *
     * @param counted what the number limits, for the help text
     */
    public static AddedOption<Integer> workers(int byDefault, String counted) {
        return converted(
                "--workers",
                int.class,
                AddedOption::parseNumber,
                Integer.toString(byDefault),
                "N",
                "Number of " + counted + " at once");
    }

    /** {@code --listen}, or another flag if that is something else: the address of the status server. */
    public static AddedOption<InetSocketAddress> listen(String flag) {
        return converted(
                flag,
                InetSocketAddress.class,
                AddedOption::parseAddress,
                "127.0.0.1:0",
                "HOST:PORT",
                "Address that serves /livez, /readyz and /metrics. Port 0 selects a free port, an empty host"
                        + " all interfaces");
    }

    /** A flag with the UNIX socket of a COSI driver. */
    public static AddedOption<String> socket(String name, String description) {
        return converted(
                name, String.class, text -> text, "unix:///var/lib/cosi/cosi.sock", "unix:///PATH", description);
    }

    /** {@code --store}. */
    public static AddedOption<String> store() {
        return converted(
                "--store",
                String.class,
                text -> text,
                "s3",
                "KIND",
                "Kind of object store, one of docs/stores.md, or none, which creates no buckets");
    }

    /** {@code --from-cluster}, for commands that transfer buckets. */
    public static AddedOption<String> fromCluster() {
        return new AddedOption<>(OptionSpec.builder("--from-cluster")
                .type(String.class)
                .required(true)
                .paramLabel("ID")
                .description("Id of the former cluster: the uid of its namespace kube-system, which is also the tag"
                        + " bucketwright.io/cluster of its buckets."));
    }

    private static <T> AddedOption<T> converted(
            String name,
            Class<T> type,
            ITypeConverter<T> converter,
            String byDefault,
            String label,
            String description) {
        return new AddedOption<>(OptionSpec.builder(name)
                .type(type)
                .converters(converter)
                .defaultValue(byDefault)
                .paramLabel(label)
                .description(description + " (default: ${DEFAULT-VALUE})."));
    }

    static LeaseTiming parseLeaseTiming(String text) {
        try {
            return LeaseTiming.lasting(new DurationConverter().convert(text));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("\"" + text + "\" is shorter than 1s");
        }
    }

    /** Parses {@code HOST:PORT}; an IPv6 address is in brackets. {@code :PORT} is all interfaces, as in Go. */
    static InetSocketAddress parseAddress(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
        if (port < 0 || port > 0xffff) {
            throw new TypeConversionException("\"" + text + "\" is not HOST:PORT");
        }
        String host = matcher.group(1);
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    private static int parseNumber(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new TypeConversionException("\"" + text + "\" is not a whole number of at least 1");
    }
}
