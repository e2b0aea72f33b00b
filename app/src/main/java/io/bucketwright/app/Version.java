package io.bucketwright.app;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, from its jar. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("(not from a jar)");
        return new String[] {"bucketwright " + version + ", Java " + Runtime.version()};
    }
}
