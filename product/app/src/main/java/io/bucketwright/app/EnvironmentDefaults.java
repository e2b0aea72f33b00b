package io.bucketwright.app;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Takes the default of each flag from the environment: BUCKETWRIGHT_LEASE_DURATION sets {@code --lease-duration}. */
public final class EnvironmentDefaults implements IDefaultValueProvider {

    private final Map<String, String> environment;

    public EnvironmentDefaults(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        // --help and --version have no variable.
        if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
            return null;
        }
        return environment.get(variable(option));
    }

    /** The variable of a flag. */
    public static String variable(OptionSpec option) {
        String name = option.longestName().replaceFirst("^-+", "");
        return "BUCKETWRIGHT_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
