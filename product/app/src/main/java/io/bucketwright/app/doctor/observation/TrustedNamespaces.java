package io.bucketwright.app.doctor.observation;

import io.bucketwright.api.ObjectBucketNames;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The namespaces in which controllers of ObjectBucketClaims run. A Lease or Deployment there decides where the doctor sends
 * requests with the credentials of an administrator. Tenants can write both in their own namespaces, so elsewhere neither counts.
 */
final class TrustedNamespaces {

    /** Controllers need it. It opens every bucket, so no tenant has it. */
    private static final Permission OF_CONTROLLERS =
            new Permission("patch", ObjectBucketNames.GROUP, "objectbuckets", "", "");

    private final AccessReviews reviews;
    private final String controllerNamespace;
    private final Map<String, Set<String>> accounts = new HashMap<>();
    private final Map<String, Trust> known = new HashMap<>();

    /** Whether a controller runs in a namespace. */
    enum Trust {
        TRUSTED,
        UNTRUSTED,
        /** The user may not ask what service accounts are allowed to do. */
        UNKNOWN
    }

    /** Only service accounts that a Lease or Deployment names, or that deploy/ defines, are asked about. */
    TrustedNamespaces(
            AccessReviews reviews, DoctorScope scope, Listing<RoleLease> leases, Listing<RoleWorkload> workloads) {
        this.reviews = reviews;
        this.controllerNamespace = scope.controllerNamespace();
        workloads.stream()
                .filter(workload -> workload.settings().isPresent())
                .forEach(workload -> accounts(workload.namespace()).add(workload.account()));
        leases.stream()
                .filter(lease -> lease.role() == LeaseRole.BUCKETS)
                .filter(lease -> !lease.namespace().equals(controllerNamespace))
                .forEach(lease -> reviews.accountOf(lease)
                        .ifPresent(account -> accounts(lease.namespace()).add(account)));
    }

    private Set<String> accounts(String namespace) {
        return accounts.computeIfAbsent(namespace, _ -> new LinkedHashSet<>(LeaseRole.BUCKETS.accounts()));
    }

    Trust of(String namespace) {
        return namespace.equals(controllerNamespace) ? Trust.TRUSTED : known.computeIfAbsent(namespace, this::review);
    }

    private Trust review(String namespace) {
        try {
            return accounts(namespace).stream()
                            .anyMatch(account -> reviews.isAllowed(namespace, account, OF_CONTROLLERS))
                    ? Trust.TRUSTED
                    : Trust.UNTRUSTED;
        } catch (KubernetesClientException e) {
            String _ = Requests.message(e);
            return Trust.UNKNOWN;
        }
    }
}
