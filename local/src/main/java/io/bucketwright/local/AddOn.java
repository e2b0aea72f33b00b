package io.bucketwright.local;

import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.report.LocalClusterException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a local cluster can have beside its control plane. */
public enum AddOn {
    /** An S3 store with the AWS IAM API. */
    S3,
    /** A node, so that pods run. Needs root. */
    NODE;

    public List<Component> components() {
        return switch (this) {
            case S3 -> List.of(Component.S3_IAM, Component.S3_GATEWAY);
            case NODE -> List.of(Component.KUBE_SCHEDULER, Component.NODE);
        };
    }

    public List<Program> programs() {
        return switch (this) {
            case S3 -> List.of(Program.VERSITYGW);
            case NODE -> List.of(Program.KUBE_SCHEDULER, Program.KUBELET);
        };
    }

    public static AddOn parse(String text) {
        return Arrays.stream(values())
                .filter(addition -> addition.text().equals(text.trim()))
                .findFirst()
                .orElseThrow(() -> new LocalClusterException("There is no add-on \"" + text.trim() + "\"; there are "
                        + Arrays.stream(values()).map(AddOn::text).collect(Collectors.joining(" and ")) + "."));
    }

    /** As it is written on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
