package io.bucketwright.app;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Reads the version from the manifest of the jar. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(VersionProvider.class.getPackage().getImplementationVersion())
                .orElse("(development)");
        return new String[] {"bucketwright " + version + ", Java " + Runtime.version()};
    }
}
