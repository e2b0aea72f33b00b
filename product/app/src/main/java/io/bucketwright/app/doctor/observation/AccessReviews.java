package io.bucketwright.app.doctor.observation;

import io.bucketwright.app.options.PublishedSettings;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Asks the API server whether service accounts have permissions. */
record AccessReviews(KubernetesClient client, DoctorScope scope) {

    private static final String NAME = "app.kubernetes.io/name";
    private static final String COMPONENT = "app.kubernetes.io/component";

    /** The chart sets it for roles of COSI. */
    private static final String COSI_API = "bucketwright.io/cosi-api";

    private record Account(LeaseRole role, String namespace, String name) {}

    /** One result per role and service account. */
    List<AccountAccess> of(List<RoleLease> leases, List<RoleWorkload> workloads) {
        Set<Account> accounts = new LinkedHashSet<>();
        Map<Account, Set<String>> led = new HashMap<>();
        leases.stream()
                .filter(lease -> !lease.isShared())
                .forEach(lease -> accountOf(lease).ifPresent(name -> {
                    Account account = new Account(lease.role(), lease.namespace(), name);
                    accounts.add(account);
                    led.computeIfAbsent(account, _ -> new LinkedHashSet<>())
                            .add(PublishedSettings.watchNamespace(lease.lease()));
                }));
        for (LeaseRole role : LeaseRole.values()) {
            Set<String> namespaces = new LinkedHashSet<>(Set.of(scope.controllerNamespace()));
            leases.stream().filter(lease -> lease.role() == role).forEach(lease -> namespaces.add(lease.namespace()));
            namespaces.forEach(namespace -> role.accounts().stream()
                    .filter(name -> exists(namespace, name))
                    .forEach(name -> accounts.add(new Account(role, namespace, name))));
        }
        chartAccounts().forEach(accounts::add);
        return accounts.stream()
                .map(account -> review(account, served(account, led, workloads)))
                .toList();
    }

    /**
     * The namespaces in which an account needs its permissions: with the value watchNamespace, the chart binds them nowhere else.
     * The flags of its workloads count more than what the last leader says, which may have had others.
     */
    private Set<String> served(Account account, Map<Account, Set<String>> led, List<RoleWorkload> workloads) {
        Set<String> installed = workloads.stream()
                .filter(workload -> workload.namespace().equals(account.namespace())
                        && workload.account().equals(account.name())
                        && workload.has(account.role()))
                .map(RoleWorkload::watched)
                .collect(Collectors.toSet());
        Set<String> watched = installed.isEmpty() ? led.getOrDefault(account, Set.of("")) : installed;
        return watched.stream()
                .map(namespace -> namespace.isEmpty() ? scope.namespace() : namespace)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Accounts of the chart, whatever the name of the release: known by labels, also if nothing has ever led. */
    private Stream<Account> chartAccounts() {
        return Requests.list(
                        "ServiceAccount",
                        client.serviceAccounts().inAnyNamespace().withLabel(NAME, "bucketwright"))
                .stream()
                .flatMap(account ->
                        LeaseRole.ofComponent(Metadata.label(account, COMPONENT), Metadata.label(account, COSI_API))
                                .stream()
                                .map(role -> new Account(
                                        role,
                                        account.getMetadata().getNamespace(),
                                        account.getMetadata().getName())));
    }

    static String accountOf(PodSpec pod) {
        return Objects.requireNonNullElse(pod.getServiceAccountName(), "default");
    }

    /** Whether deploy/ created it. The chart may use the same name, and gives it the permissions of the roles that are on. */
    private boolean exists(String namespace, String name) {
        return Requests.find(() -> client.serviceAccounts()
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                .filter(account -> Metadata.label(account, NAME).isEmpty())
                .isPresent();
    }

    /** The service account of the pod that holds the Lease; empty if it cannot be found. */
    Optional<String> accountOf(RoleLease lease) {
        return Requests.list("Pod", client.pods().inNamespace(lease.namespace())).stream()
                .filter(pod -> lease.holder().startsWith(pod.getMetadata().getName() + "-"))
                .map(pod -> accountOf(pod.getSpec()))
                .findFirst();
    }

    private AccountAccess review(Account account, Set<String> served) {
        List<Permission> missing = new ArrayList<>();
        RolePermissions role = RolePermissions.of(account.role());
        List<Permission> required = served.stream()
                .flatMap(namespace -> role.required(account.role(), account.namespace(), namespace).stream())
                .distinct()
                .toList();
        try {
            for (Permission permission : required) {
                if (!isAllowed(account.namespace(), account.name(), permission)) {
                    missing.add(permission);
                }
            }
            return new AccountAccess(account.role(), account.namespace(), account.name(), missing, "");
        } catch (KubernetesClientException e) {
            return new AccountAccess(
                    account.role(), account.namespace(), account.name(), List.of(), Requests.message(e));
        }
    }

    /** Whether a service account has a permission. */
    boolean isAllowed(String namespace, String account, Permission permission) {
        String[] resource = permission.resource().split("/", 2);
        SubjectAccessReview review = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser("system:serviceaccount:" + namespace + ":" + account)
                .withGroups("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated")
                .withNewResourceAttributes()
                .withVerb(permission.verb())
                .withGroup(permission.group())
                .withResource(resource[0])
                .withSubresource(resource.length > 1 ? resource[1] : null)
                .withNamespace(permission.namespace().isEmpty() ? null : permission.namespace())
                .withName(permission.name().isEmpty() ? null : permission.name())
                .endResourceAttributes()
                .endSpec()
                .build();
        return Boolean.TRUE.equals(client.authorization()
                .v1()
                .subjectAccessReview()
                .create(review)
                .getStatus()
                .getAllowed());
    }
}
