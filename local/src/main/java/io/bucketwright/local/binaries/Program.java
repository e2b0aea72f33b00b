package io.bucketwright.local.binaries;

import java.util.Arrays;
import java.util.List;

/** A program that a local cluster runs. */
public enum Program {
    ETCD("etcd", GoModule.CONTROL_PLANE),
    KUBE_APISERVER("kube-apiserver", GoModule.CONTROL_PLANE),
    KUBE_CONTROLLER_MANAGER("kube-controller-manager", GoModule.CONTROL_PLANE),
    KUBECTL("kubectl", GoModule.CONTROL_PLANE),
    KUBELET("kubelet", GoModule.NODE),
    KUBE_SCHEDULER("kube-scheduler", GoModule.NODE),
    VERSITYGW("versitygw", GoModule.S3);

    private final String fileName;
    private final GoModule module;

    Program(String fileName, GoModule module) {
        this.fileName = fileName;
        this.module = module;
    }

    public String fileName() {
        return fileName;
    }

    GoModule module() {
        return module;
    }

    static List<Program> of(GoModule module) {
        return Arrays.stream(values())
                .filter(program -> program.module == module)
                .toList();
    }
}
