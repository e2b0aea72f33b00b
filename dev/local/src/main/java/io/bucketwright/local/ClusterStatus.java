package io.bucketwright.local;

import io.bucketwright.local.stores.StoreAccess;
import java.util.Map;

/**
 * The state of a cluster, as {@code local status -o json} prints it.
 *
 * @param ready whether every component runs
 * @param dir where its state is
 * @param kubeconfig the administrator's
 * @param auditLog of the API server, one JSON object a line
 * @param components by name
 * @param stores by kind
 */
public record ClusterStatus(
        boolean ready,
        String dir,
        String kubeconfig,
        String auditLog,
        Map<String, ComponentStatus> components,
        Map<String, StoreAccess> stores) {

    /**
     * One process.
     *
     * @param running whether it does
     * @param pid its process id, 0 where it does not run
     * @param port the loopback port it serves, 0 where it serves none
     * @param log where its output goes
     */
    public record ComponentStatus(boolean running, long pid, int port, String log) {}
}
