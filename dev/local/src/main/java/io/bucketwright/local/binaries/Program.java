package io.bucketwright.local.binaries;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A program that a local cluster or a test runs. */
public enum Program {
    ETCD(GoModule.CONTROL_PLANE, GoModule.OLDEST_KUBERNETES),
    KUBE_APISERVER(GoModule.CONTROL_PLANE, GoModule.OLDEST_KUBERNETES),
    KUBE_CONTROLLER_MANAGER(GoModule.CONTROL_PLANE, GoModule.OLDEST_KUBERNETES),
    KUBECTL(GoModule.CONTROL_PLANE, GoModule.OLDEST_KUBERNETES),
    KUBELET(GoModule.NODE, GoModule.OLDEST_KUBERNETES),
    KUBE_SCHEDULER(GoModule.NODE, GoModule.OLDEST_KUBERNETES),
    VERSITYGW(GoModule.S3),
    MINIO(GoModule.MINIO),
    /** Tests the alerts; no part of a cluster. */
    PROMTOOL(GoModule.PROMTOOL),
    /** The reference implementation of COSI, for tests; no part of a cluster. */
    UPSTREAM_COSI_CONTROLLER(GoModule.UPSTREAM_COSI),
    UPSTREAM_COSI_SIDECAR(GoModule.UPSTREAM_COSI);

    private final GoModule newest;
    private final GoModule oldest;

    /** Does not depend on the version of Kubernetes. */
    Program(GoModule module) {
        this(module, module);
    }

    Program(GoModule newest, GoModule oldest) {
        this.newest = newest;
        this.oldest = oldest;
    }

    public String fileName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    GoModule module(KubernetesVersion version) {
        return switch (version) {
            case NEWEST -> newest;
            case OLDEST -> oldest;
        };
    }

    static List<Program> of(GoModule module) {
        return Arrays.stream(values())
                .filter(program -> program.newest == module || program.oldest == module)
                .toList();
    }

    static String names(Collection<Program> programs) {
        return programs.stream().map(Program::fileName).collect(Collectors.joining(", "));
    }
}
