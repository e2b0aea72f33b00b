package io.bucketwright.app.options;

import picocli.CommandLine.Option;

/** {@code --experimental-cosi-v1alpha2} of the sidecar. */
public final class ExperimentalCosiOption {

    static final String NAME = "--experimental-cosi-v1alpha2";

    @Option(
            names = NAME,
            description =
                    "Experimental: with --provisioner, also call drivers that speak sigs.k8s.io.cosi.v1alpha2, which"
                            + " is not released and changes. See docs/cosi-released.md.")
    private boolean enabled;

    public boolean isEnabled() {
        return enabled;
    }
}
