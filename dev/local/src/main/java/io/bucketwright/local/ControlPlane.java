package io.bucketwright.local;

import io.bucketwright.local.binaries.Program;
import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.server.Probe;
import io.bucketwright.local.server.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The command lines of etcd, kube-apiserver, kube-controller-manager and kube-scheduler, each with its reasons. */
record ControlPlane(
        ClusterFiles files,
        CertificateAuthority authority,
        Map<Program, Path> programs,
        Probe probe,
        List<String> extraApiServerFlags) {

    /** What objects need without a node: collection, namespaces, binding, quotas, and accounts for pods to be admitted. */
    private static final String CONTROLLERS_WITHOUT_NODE = String.join(
            ",",
            "garbage-collector-controller",
            "namespace-controller",
            "persistentvolume-binder-controller",
            "persistentvolumeclaim-protection-controller",
            "persistentvolume-protection-controller",
            "ephemeral-volume-controller",
            "resourcequota-controller",
            "serviceaccount-controller",
            "root-ca-certificate-publisher-controller",
            "validatingadmissionpolicy-status-controller",
            "clusterrole-aggregation-controller");

    Server etcd() {
        return new Server(
                Component.ETCD,
                port -> List.of(
                        program(Program.ETCD),
                        "--data-dir=" + files.dir().resolve("etcd"),
                        "--listen-client-urls=http://127.0.0.1:" + port,
                        "--advertise-client-urls=http://127.0.0.1:" + port,
                        "--listen-peer-urls=http://127.0.0.1:0",
                        // The state is thrown away at the end; a power cut may cost it, and disks here are slow.
                        "--unsafe-no-fsync",
                        "--log-level=warn"),
                Map.of(),
                port -> probe.ok("http://127.0.0.1:" + port + "/health"));
    }

    Server apiServer(int etcdPort) {
        return new Server(
                Component.KUBE_APISERVER,
                port -> {
                    List<String> command = new ArrayList<>(List.of(
                            program(Program.KUBE_APISERVER),
                            "--etcd-servers=http://127.0.0.1:" + etcdPort,
                            "--bind-address=127.0.0.1",
                            "--secure-port=" + port,
                            "--advertise-address=127.0.0.1",
                            // Endpoints may not be loopback addresses; without it the log fills with that.
                            "--endpoint-reconciler-type=none",
                            "--tls-cert-file=" + files.pki("server.crt"),
                            "--tls-private-key-file=" + files.pki("server.key"),
                            "--client-ca-file=" + files.pki("ca.crt"),
                            "--kubelet-certificate-authority=" + files.pki("ca.crt"),
                            "--kubelet-client-certificate=" + files.pki("kubelet-client.crt"),
                            "--kubelet-client-key=" + files.pki("kubelet-client.key"),
                            "--kubelet-preferred-address-types=InternalIP",
                            "--service-account-issuer=https://kubernetes.default.svc",
                            "--service-account-key-file=" + files.pki("tokens.pub"),
                            "--service-account-signing-key-file=" + files.pki("tokens.key"),
                            "--service-cluster-ip-range=10.0.0.0/24",
                            "--authorization-mode=Node,RBAC",
                            "--enable-admission-plugins=NodeRestriction",
                            "--allow-privileged=true",
                            "--audit-policy-file=" + files.dir().resolve("audit-policy.yaml"),
                            "--audit-log-path=" + files.auditLog(),
                            // Counting reads one file from its start; it must not be rotated away beneath the reader.
                            "--audit-log-maxsize=8192"));
                    command.addAll(extraApiServerFlags);
                    return command;
                },
                Map.of(),
                // The default namespace is created shortly after /readyz succeeds; clients need it.
                port -> probe.ok(url(port) + "/readyz")
                        && probe.ok(url(port) + "/api/v1/namespaces/default")
                        && probe.ok(url(port) + "/api/v1/namespaces/kube-system"));
    }

    Server controllerManager(int apiServerPort, Set<AddOn> additions) {
        boolean node = additions.contains(AddOn.NODE);
        return new Server(
                Component.KUBE_CONTROLLER_MANAGER,
                port -> {
                    List<String> command = new ArrayList<>(client(
                            Program.KUBE_CONTROLLER_MANAGER, port, apiServerPort, "system:kube-controller-manager"));
                    command.addAll(List.of(
                            "--controllers=" + (node ? "*" : CONTROLLERS_WITHOUT_NODE),
                            "--use-service-account-credentials=true",
                            "--service-account-private-key-file=" + files.pki("tokens.key"),
                            "--root-ca-file=" + files.pki("ca.crt"),
                            // By default it makes a folder in /usr of the machine.
                            "--flex-volume-plugin-dir=" + files.dir().resolve("flex"),
                            // At its default of 20 a second the volume binder, not the provisioner, sets every pace.
                            "--kube-api-qps=500",
                            "--kube-api-burst=1000"));
                    return command;
                },
                Map.of(),
                port -> probe.ok(url(port) + "/healthz"));
    }

    Server scheduler(int apiServerPort) {
        return new Server(
                Component.KUBE_SCHEDULER,
                port -> client(Program.KUBE_SCHEDULER, port, apiServerPort, "system:kube-scheduler"),
                Map.of(),
                port -> probe.ok(url(port) + "/healthz"));
    }

    static String url(int port) {
        return "https://127.0.0.1:" + port;
    }

    private List<String> client(Program program, int port, int apiServerPort, String user) {
        Path kubeconfig =
                files.kubeconfig(authority, files.userFile(user, List.of()), url(apiServerPort), user, List.of());
        return List.of(
                program(program),
                "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig,
                "--authorization-kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--tls-cert-file=" + files.pki("server.crt"),
                "--tls-private-key-file=" + files.pki("server.key"),
                "--leader-elect=false");
    }

    private String program(Program program) {
        Path path = programs.get(program);
        if (path == null) {
            throw new IllegalStateException(program.fileName() + " was not provided");
        }
        return path.toString();
    }
}
