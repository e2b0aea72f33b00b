package io.bucketwright.app.doctor.observation;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A role with leader election, recognized by the name of its Lease. */
public enum LeaseRole {
    BUCKETS("buckets", "bucketwright-buckets", "rbac.yaml", "bucketwright-buckets", "bucketwright-objectbuckets"),
    ORPHANS("orphans", "bucketwright-orphans", "rbac.yaml", "bucketwright-orphans", "bucketwright-objectbuckets"),
    COSI("cosi", "bucketwright-cosi", "cosi-rbac.yaml", "bucketwright-cosi", ""),
    POD_CLAIMS(
            "pod-claims",
            "bucketwright-pod-claims",
            "volumes-rbac.yaml",
            "bucketwright-pod-claims",
            "bucketwright-volumes"),
    RELEASER("releaser", "bucketwright-releaser", "volumes-rbac.yaml", "bucketwright-releaser", "bucketwright-volumes"),
    /** The Lease has a suffix for the node and the root directories. */
    DIRECTORIES(
            "directory provisioner",
            "bucketwright-directories-",
            "directories-rbac.yaml",
            "bucketwright-directories",
            ""),
    /** The Lease has the name of the driver as its suffix. */
    SIDECAR("COSI sidecar", "cosi-sidecar-", "cosi-sidecar-rbac.yaml", "cosi-sidecar", "");

    private final String text;
    private final String lease;
    private final String manifest;
    private final String account;
    private final String sharedAccount;

    LeaseRole(String text, String lease, String manifest, String account, String sharedAccount) {
        this.text = text;
        this.lease = lease;
        this.manifest = manifest;
        this.account = account;
        this.sharedAccount = sharedAccount;
    }

    /** The role of a Lease; empty for Leases of other programs. */
    public static Optional<LeaseRole> of(Lease lease) {
        String name = lease.getMetadata().getName();
        return Arrays.stream(values())
                .filter(role -> role.lease.endsWith("-") ? name.startsWith(role.lease) : name.equals(role.lease))
                .findFirst();
    }

    /** The role of a component of the Helm chart, as in its label {@code app.kubernetes.io/component}. */
    static Optional<LeaseRole> ofComponent(String component) {
        return switch (component) {
            case "buckets" -> Optional.of(BUCKETS);
            case "orphans" -> Optional.of(ORPHANS);
            case "cosi" -> Optional.of(COSI);
            case "pod-claims" -> Optional.of(POD_CLAIMS);
            case "releaser" -> Optional.of(RELEASER);
            default -> {
                if (component.startsWith("directories-")) {
                    yield Optional.of(DIRECTORIES);
                }
                yield component.startsWith("driver-") ? Optional.of(SIDECAR) : Optional.empty();
            }
        };
    }

    /** The name of the Lease, or what it begins with. */
    public String lease() {
        return lease;
    }

    /** The file in deploy/ with the permissions of the role. */
    public String manifest() {
        return manifest;
    }

    /** The service account that the manifest defines for this role alone. */
    public String ownAccount() {
        return account;
    }

    /** The service accounts of the manifest that this role can run with. */
    public List<String> accounts() {
        return sharedAccount.isEmpty() ? List.of(account) : List.of(account, sharedAccount);
    }

    @Override
    public String toString() {
        return text;
    }
}
