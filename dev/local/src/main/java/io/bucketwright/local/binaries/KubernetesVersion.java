package io.bucketwright.local.binaries;

import io.bucketwright.local.report.LocalClusterException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A version of Kubernetes that a local cluster can run: the newest and the oldest that Bucketwright supports. */
public enum KubernetesVersion {
    NEWEST("1.36"),
    /** Builds into one file, because only tests of compatibility run it. */
    OLDEST("1.30");

    /** Selects the version for clusters of tests and for {@code bucketwright local up}. */
    static final String VARIABLE = "BUCKETWRIGHT_KUBERNETES";

    private final String text;

    KubernetesVersion(String text) {
        this.text = text;
    }

    /** The minor version, as it is written on the command line. */
    public String text() {
        return text;
    }

    public static KubernetesVersion parse(String text) {
        return Arrays.stream(values())
                .filter(version -> version.text.equals(text.trim()))
                .findFirst()
                .orElseThrow(() -> new LocalClusterException("There is no Kubernetes \"" + text.trim()
                        + "\" here; there are "
                        + Arrays.stream(values()).map(KubernetesVersion::text).collect(Collectors.joining(", "))
                        + "."));
    }
}
