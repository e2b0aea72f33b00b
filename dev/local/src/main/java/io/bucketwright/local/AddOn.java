package io.bucketwright.local;

import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.stores.StoreKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a local cluster can have beside its control plane. */
public enum AddOn {
    /** An S3 store with the AWS IAM API. */
    S3(StoreKind.S3),
    /** MinIO. */
    MINIO(StoreKind.MINIO),
    /** The Ceph object gateway. */
    CEPH(StoreKind.CEPH),
    /** An emulator of Azure Blob Storage. */
    AZURE(StoreKind.AZURE),
    /** An emulator of Google Cloud Storage. */
    GCS(StoreKind.GCS),
    /** An emulator of AWS. */
    MOTO(StoreKind.MOTO),
    /** A node, so that pods run. Needs root. */
    NODE(null);

    private final @Nullable StoreKind store;

    AddOn(@Nullable StoreKind store) {
        this.store = store;
    }

    /** The object store that it is, if it is one. */
    public Optional<StoreKind> store() {
        return Optional.ofNullable(store);
    }

    public List<Component> components() {
        return store == null ? List.of(Component.KUBE_SCHEDULER, Component.NODE) : store.components();
    }

    /** What is built for it. */
    public List<Program> programs() {
        return switch (this) {
            case S3 -> List.of(Program.VERSITYGW);
            case MINIO -> List.of(Program.MINIO);
            case NODE -> List.of(Program.KUBE_SCHEDULER, Program.KUBELET);
            case CEPH, AZURE, GCS, MOTO -> List.of();
        };
    }

    public static AddOn parse(String text) {
        return Arrays.stream(values())
                .filter(addition -> addition.text().equals(text.trim()))
                .findFirst()
                .orElseThrow(() -> new LocalClusterException("There is no add-on \"" + text.trim() + "\"; there are "
                        + Arrays.stream(values()).map(AddOn::text).collect(Collectors.joining(", ")) + "."));
    }

    /** What this machine lacks for it, as sentences that say what to do; empty if nothing is known to be missing. */
    public Optional<String> missing() {
        return this == NODE ? Node.missing() : Optional.empty();
    }

    /** As it is written on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
