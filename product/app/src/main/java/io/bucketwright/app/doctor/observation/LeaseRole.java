package io.bucketwright.app.doctor.observation;

import io.bucketwright.api.cosi.CosiNames;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A role with leader election, recognized by the name of its Lease. */
public enum LeaseRole {
    BUCKETS("buckets", "bucketwright-buckets", "rbac.yaml", "bucketwright-buckets", "bucketwright-objectbuckets"),
    ORPHANS("orphans", "bucketwright-orphans", "rbac.yaml", "bucketwright-orphans", "bucketwright-objectbuckets"),
    /** BucketClaims, the released API of COSI. */
    BUCKET_CLAIMS(
            "cosi (BucketClaims)",
            "bucketwright-bucketclaims",
            "cosi-released-rbac.yaml",
            "bucketwright-bucketclaims",
            ""),
    /** BucketRequests, the design of 2020. */
    COSI("cosi (cosi.io)", "bucketwright-cosi", "cosi-rbac.yaml", "bucketwright-cosi", ""),
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
    /** The Lease has the name of the driver before its suffix, as that of the reference implementation has. */
    RELEASED_SIDECAR("COSI sidecar", "-cosi", "cosi-released-sidecar-rbac.yaml", "cosi-released-sidecar", ""),
    /** The Lease has the name of the driver as its suffix. */
    SIDECAR("COSI sidecar (cosi.io)", "cosi-sidecar-", "cosi-sidecar-rbac.yaml", "cosi-sidecar", "");

    /** The Lease of the reference implementation's controller, which can serve BucketClaims instead of Bucketwright's. */
    static final String REFERENCE_CONTROLLER = "leader-lock-cosi-controller-manager";

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
        if (name.equals(REFERENCE_CONTROLLER)) {
            return Optional.of(BUCKET_CLAIMS);
        }
        return Arrays.stream(values()).filter(role -> role.has(name)).findFirst();
    }

    private boolean has(String name) {
        if (lease.endsWith("-")) {
            return name.startsWith(lease);
        }
        if (lease.startsWith("-")) {
            return name.endsWith(lease);
        }
        // With a hash of what it serves, if that is not the default.
        return name.equals(lease) || name.matches(Pattern.quote(lease) + "-[0-9a-f]{8}");
    }

    /**
     * The roles of a component of the Helm chart.
     *
     * @param component the label {@code app.kubernetes.io/component}
     * @param api the label {@code bucketwright.io/cosi-api} of its service account; empty if there is none
     */
    static List<LeaseRole> ofComponent(String component, String api) {
        return switch (component) {
            case "buckets" -> List.of(BUCKETS);
            case "orphans" -> List.of(ORPHANS);
            case "cosi" -> ofApi(api, BUCKET_CLAIMS, COSI);
            case "pod-claims" -> List.of(POD_CLAIMS);
            case "releaser" -> List.of(RELEASER);
            default -> {
                if (component.startsWith("directories-")) {
                    yield List.of(DIRECTORIES);
                }
                yield component.startsWith("driver-") ? ofApi(api, RELEASED_SIDECAR, SIDECAR) : List.of();
            }
        };
    }

    private static List<LeaseRole> ofApi(String api, LeaseRole released, LeaseRole design) {
        return switch (api) {
            case CosiNames.GROUP -> List.of(design);
            case "all" -> List.of(released, design);
            default -> List.of(released);
        };
    }

    /** The name of the Lease, or what it begins or ends with. */
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
