package io.bucketwright.local;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A process of a local cluster, in the order in which they are started. */
public enum Component {
    ETCD("etcd", 7),
    KUBE_APISERVER("kube-apiserver", 6),
    KUBE_CONTROLLER_MANAGER("kube-controller-manager", 5),
    S3_IAM("versitygw-iam", 4),
    S3_GATEWAY("versitygw", 3),
    KUBE_SCHEDULER("kube-scheduler", 2),
    NODE("node", 1);

    private final String processName;
    private final int stopsAt;

    Component(String processName, int stopsAt) {
        this.processName = processName;
        this.stopsAt = stopsAt;
    }

    public String processName() {
        return processName;
    }

    /** The API server must go before etcd, or it lingers for minutes; and the node before everything it talks to. */
    static List<String> stopOrder() {
        return Arrays.stream(values())
                .sorted(Comparator.comparingInt(component -> component.stopsAt))
                .map(Component::processName)
                .toList();
    }
}
