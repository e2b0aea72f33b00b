package io.bucketwright.app.chart;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A role of the chart, with values that switch it on. */
enum ChartRole {
    BUCKETS("buckets"),
    ORPHANS("orphans"),
    COSI("cosi"),
    ADAPTER("adapter"),
    POD_CLAIMS("podClaims"),
    RELEASER("releaser"),
    DRIVERS("drivers"),
    DIRECTORIES("directories");

    private static final Map<String, Object> ENTRIES = RenderedChart.values("""
            drivers:
            - name: one.example.com
              api: cosi.io
              parameters: {endpoint: "https://s3.example.com", region: eu-1}
              credentialsSecret: store-administrator
              secretNamespaces: [vault]
              secretNamespaceSelector: {own-credentials: "true"}
            - {name: two, api: cosi.io, mode: containers, store: azure, namespace: azure}
            - {name: three, mode: containers, namespaces: [team-a, team-b]}
            - {name: four, api: objectstorage.k8s.io, namespaces: ["*"]}
            directories:
            - name: shared
              roots:
              - path: /srv/volumes
                volume: {nfs: {server: nfs.example.com, path: /volumes}}
            - name: disks
              kind: DaemonSet
              storageClasses: [disk]
              quota: true
              roots:
              - {path: /mnt/disks, storageClass: disk, volume: {hostPath: {path: /mnt/disks}}}
            """);

    private final String key;

    ChartRole(String key) {
        this.key = key;
    }

    /** The values of the label {@code app.kubernetes.io/component} of its workloads. */
    List<String> components() {
        return switch (this) {
            case DRIVERS -> List.of("driver-one.example.com", "driver-two", "driver-three", "driver-four");
            case DIRECTORIES -> List.of("directories-shared", "directories-disks");
            case POD_CLAIMS -> List.of("pod-claims");
            case BUCKETS, ORPHANS, COSI, ADAPTER, RELEASER -> List.of(key);
        };
    }

    private Object value(boolean enabled) {
        return switch (this) {
            case DRIVERS, DIRECTORIES -> enabled ? ENTRIES.getOrDefault(key, List.of()) : List.of();
            case COSI -> Map.of("enabled", enabled, "api", "all");
            case BUCKETS, ORPHANS, ADAPTER, POD_CLAIMS, RELEASER -> Map.of("enabled", enabled);
        };
    }

    /** Values with exactly these roles. */
    static Map<String, Object> values(Set<ChartRole> roles) {
        Map<String, Object> values = new HashMap<>();
        for (ChartRole role : values()) {
            values.put(role.key, role.value(roles.contains(role)));
        }
        return values;
    }

    /** Values with all roles and these. */
    static Map<String, Object> all(Map<String, ?> more) {
        Map<String, Object> values = values(EnumSet.allOf(ChartRole.class));
        values.putAll(more);
        return values;
    }

    /** All subsets of the roles. */
    static List<Set<ChartRole>> subsets() {
        List<Set<ChartRole>> subsets = new ArrayList<>();
        subsets.add(EnumSet.noneOf(ChartRole.class));
        for (ChartRole role : values()) {
            for (Set<ChartRole> without : List.copyOf(subsets)) {
                Set<ChartRole> with = EnumSet.of(role);
                with.addAll(without);
                subsets.add(with);
            }
        }
        return subsets;
    }
}
