package io.bucketwright.local.stores;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.PackageSet;
import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The object stores that run on one machine. */
public enum StoreKind {
    /** versitygw: an S3 gateway over a folder, with the AWS IAM API. */
    S3,
    /** MinIO with its admin API. */
    MINIO,
    /** The Ceph object gateway (RGW) with a monitor and one OSD in memory. */
    CEPH,
    /** Azurite, the emulator of Azure Blob Storage. */
    AZURE,
    /** gcp-storage-emulator, an emulator of Google Cloud Storage without authentication. */
    GCS,
    /** moto, an emulator of AWS that enforces IAM policies. */
    MOTO;

    /** Its processes, in the order in which they are started. */
    public List<Component> components() {
        return switch (this) {
            case S3 -> List.of(Component.S3_IAM, Component.S3_GATEWAY);
            case MINIO -> List.of(Component.MINIO);
            case CEPH -> List.of(Component.CEPH_MON, Component.CEPH_OSD, Component.RADOSGW);
            case AZURE -> List.of(Component.AZURITE);
            case GCS -> List.of(Component.GCS_EMULATOR);
            case MOTO -> List.of(Component.MOTO);
        };
    }

    /** As it is written on the command line; also the name of its folder. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * How its administrator reaches it; empty until all its servers have been started.
     *
     * @param dir its folder
     * @param ports of its servers
     */
    public Optional<StoreAccess> access(Path dir, Map<Component, Integer> ports) {
        Optional<StoreKeys> keys = StoreKeys.find(dir);
        if (!ports.keySet().containsAll(components()) || (keys.isEmpty() && this != GCS)) {
            return Optional.empty();
        }
        String endpoint = url(ports, components().getLast());
        return switch (this) {
            case S3 -> keys.map(known -> known.at(endpoint, url(ports, Component.S3_IAM)));
            case MINIO, CEPH, MOTO -> keys.map(known -> known.at(endpoint, endpoint));
            case AZURE -> keys.map(known -> known.at(endpoint + "/" + known.id(), endpoint));
            case GCS -> Optional.of(new StoreAccess(endpoint, endpoint, StoreServers.REGION, "", "", ""));
        };
    }

    private static String url(Map<Component, Integer> ports, Component component) {
        return StoreServers.url(ports.getOrDefault(component, 0));
    }

    /** Builds or downloads its programs unless they are cached, and describes its servers. */
    public StoreServers servers(Path dir, Binaries binaries, Probe probe) {
        Packages packages = new Packages(binaries.cache(), binaries.progress());
        return switch (this) {
            case S3 -> new S3Servers(dir, binaries.provide(Program.VERSITYGW), probe);
            case MINIO -> new MinioServer(dir, binaries.provide(Program.MINIO), probe);
            case CEPH -> new CephServers(dir, packages.provide(PackageSet.CEPH), probe);
            case AZURE -> new AzuriteServer(dir, packages.provide(PackageSet.AZURITE), probe);
            case GCS -> new GcsEmulator(packages.provide(PackageSet.GCS_EMULATOR), probe);
            case MOTO -> new MotoServer(dir, packages.provide(PackageSet.MOTO), probe);
        };
    }
}
