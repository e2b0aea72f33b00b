package io.bucketwright.app;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Lets an environment variable stand in for every flag: {@code --lease-duration} is BUCKETWRIGHT_LEASE_DURATION. */
final class EnvironmentDefaults implements IDefaultValueProvider {

    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        // --help and --version of every command are one flag each; a variable for them helps nobody.
        if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
            return null;
        }
        return environment.get(variable(option));
    }

    static String variable(OptionSpec option) {
        String words = option.longestName().replaceFirst("^-+", "");
        return "BUCKETWRIGHT_" + words.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
