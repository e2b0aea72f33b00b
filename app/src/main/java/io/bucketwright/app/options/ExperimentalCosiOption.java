package io.bucketwright.app.options;

import picocli.CommandLine.Option;

/** {@code --experimental-cosi-v1alpha2} of the controller and the sidecar. */
public final class ExperimentalCosiOption {

    static final String NAME = "--experimental-cosi-v1alpha2";

    @Option(
            names = NAME,
            description =
                    "Experimental: serve objectstorage.k8s.io/v1alpha2, which is not released and changes, instead of"
                            + " v1alpha1. A sidecar with --provisioner calls drivers of v1alpha2 for objects of cosi.io. See"
                            + " docs/cosi-released.md.")
    private boolean enabled;

    public boolean isEnabled() {
        return enabled;
    }
}
