package io.bucketwright.local.server;

import java.util.Arrays;
import java.util.List;

/** A process of a local cluster, in the order in which they are started. */
public enum Component {
    ETCD("etcd"),
    KUBE_APISERVER("kube-apiserver"),
    KUBE_CONTROLLER_MANAGER("kube-controller-manager"),
    S3_IAM("versitygw-iam"),
    S3_GATEWAY("versitygw"),
    MINIO("minio"),
    CEPH_MON("ceph-mon"),
    CEPH_OSD("ceph-osd"),
    RADOSGW("radosgw"),
    AZURITE("azurite"),
    GCS_EMULATOR("gcp-storage-emulator"),
    MOTO("moto"),
    KUBE_SCHEDULER("kube-scheduler"),
    NODE("node");

    private final String processName;

    Component(String processName) {
        this.processName = processName;
    }

    public String processName() {
        return processName;
    }

    /** The API server must stop before etcd, or it lingers for minutes; and the node before everything it talks to. */
    public static List<String> stopOrder() {
        return Arrays.asList(values()).reversed().stream()
                .map(Component::processName)
                .toList();
    }
}
