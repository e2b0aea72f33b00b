package io.bucketwright.local;

import io.bucketwright.local.pki.CertificateAuthority;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.stores.StoreKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** The folder of one cluster: where each thing is, and the certificates and kubeconfigs in it. */
record ClusterFiles(Path dir) {

    /** Everything we ever put there, and so all that is removed at the end. */
    static final List<String> ENTRIES = Stream.concat(
                    Stream.of(
                            "pki",
                            "users",
                            "etcd",
                            "node",
                            "flex",
                            "logs",
                            "controllers",
                            "pids",
                            "kubeconfig",
                            "audit.log",
                            "audit-policy.yaml",
                            ClusterState.FILE,
                            "." + ClusterState.FILE,
                            "closing",
                            "lock"),
                    Arrays.stream(StoreKind.values()).map(StoreKind::text))
            .toList();

    /** Longer than any guard takes; one that was itself killed leaves its file for good. */
    private static final Duration PREDECESSOR = Duration.ofSeconds(30);

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private static final String AUDIT_POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules:
            - level: RequestResponse
              userGroups: [%s]
            - level: Metadata
            """.formatted(LocalCluster.RECORDED_GROUP);

    boolean exists() {
        return Files.exists(dir.resolve(ClusterState.FILE));
    }

    /** Makes the folder, readable by its owner alone: it holds keys. A folder with other things in it is refused. */
    void create() {
        awaitPredecessor();
        LocalClusterException.orFail("Cannot make the cluster's folder " + dir, () -> {
            if (Files.isDirectory(dir)) {
                requireOnlyEntries();
                Files.setPosixFilePermissions(dir, OWNER_ONLY);
            } else {
                Files.createDirectories(dir.toAbsolutePath().getParent());
                Files.createDirectory(dir, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
            Files.deleteIfExists(dir.resolve("closing"));
            for (String folder : List.of("pki", "users", "logs", "pids")) {
                Files.createDirectories(dir.resolve(folder));
            }
            return Files.writeString(dir.resolve("audit-policy.yaml"), AUDIT_POLICY);
        });
    }

    private void requireOnlyEntries() throws IOException {
        try (Stream<Path> entries = Files.list(dir)) {
            if (entries.anyMatch(entry -> !ENTRIES.contains(entry.getFileName().toString()))) {
                throw new LocalClusterException(
                        dir + " has other files in it. Name an empty or a new folder with --dir.");
            }
        }
    }

    /** A cluster that was here before may still be ending; its guard must not remove what we are about to make. */
    private void awaitPredecessor() {
        long deadline = System.nanoTime() + PREDECESSOR.toNanos();
        while (Files.exists(dir.resolve("closing")) && System.nanoTime() - deadline < 0) {
            LocalClusterException.sleep(50, "Interrupted while the cluster that was in " + dir + " ends.");
        }
    }

    /** Makes the certificate authority and what the servers need of it, or reads what is there. */
    CertificateAuthority authority() {
        Path pki = dir.resolve("pki");
        return LocalClusterException.orFail("Cannot make the certificates in " + pki, () -> {
            if (Files.exists(pki.resolve("server.key"))) {
                return CertificateAuthority.load(pki);
            }
            CertificateAuthority authority = CertificateAuthority.create();
            authority.credential().save(pki, "ca");
            CertificateAuthority.saveTokenKeys(pki);
            authority
                    .client("kube-apiserver-kubelet-client", List.of("system:masters"))
                    .save(pki, "kubelet-client");
            // Last: if its key exists, all the others do.
            authority
                    .server(
                            List.of("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"),
                            List.of("127.0.0.1", "10.0.0.1"))
                    .save(pki, "server");
            return authority;
        });
    }

    /**
     * Writes a kubeconfig for a user, once; a changed port of the API server writes it again.
     * Whoever reads it meanwhile sees a whole file.
     */
    Path kubeconfig(CertificateAuthority authority, Path file, String server, String user, List<String> groups) {
        return LocalClusterException.orFail("Cannot write the kubeconfig " + file, () -> {
            if (Files.exists(file) && Files.readString(file).contains("server: " + server + "\n")) {
                return file;
            }
            Path fresh = Files.createTempFile(dir.resolve("users"), "new", "");
            Files.writeString(fresh, authority.kubeconfig(server, user, groups));
            return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        });
    }

    /** Where a user's kubeconfig is. User names hold colons and slashes, so the file is named by a digest. */
    Path userFile(String user, List<String> groups) {
        byte[] name = (user + "\n" + String.join("\n", groups)).getBytes(StandardCharsets.UTF_8);
        return dir.resolve("users").resolve(UUID.nameUUIDFromBytes(name).toString());
    }

    Path adminKubeconfig() {
        return dir.resolve("kubeconfig");
    }

    Path auditLog() {
        return dir.resolve("audit.log");
    }

    /** Where an object store keeps its state. */
    Path store(StoreKind kind) {
        return dir.resolve(kind.text());
    }

    Path log(Component component) {
        return log(component.processName());
    }

    Path log(String process) {
        return logs().resolve(process + ".log");
    }

    Path logs() {
        return dir.resolve("logs");
    }

    /** Where controllers that run beside the cluster keep their files. */
    Path controllers() {
        return dir.resolve("controllers");
    }

    Path pki(String file) {
        return dir.resolve("pki").resolve(file);
    }
}
