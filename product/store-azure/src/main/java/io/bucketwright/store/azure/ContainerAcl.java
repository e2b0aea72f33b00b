package io.bucketwright.store.azure;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Who has access to a container. A request always replaces all of it.
 *
 * @param publicAccess what anonymous clients may do: empty, {@code blob} or {@code container}
 * @param policies all stored access policies, also those of other tools
 */
record ContainerAcl(String publicAccess, List<StoredPolicy> policies) {

    static final String PRIVATE = "";

    /** The public access that the option for anonymous access sets. */
    static final String LIST_AND_GET = "container";

    static final ContainerAcl CLOSED = new ContainerAcl(PRIVATE, List.of());

    ContainerAcl {
        policies = List.copyOf(policies);
    }

    /** Whether anonymous clients or tokens that Bucketwright did not issue give access. */
    boolean isOpen() {
        return !publicAccess.isEmpty() || policies.stream().anyMatch(policy -> !policy.isOfBucketwright());
    }

    ContainerAcl withPublicAccess(String access) {
        return new ContainerAcl(access, policies);
    }

    /** Without anonymous access, unless it is one that no option sets. */
    ContainerAcl withoutOwnPublicAccess() {
        return publicAccess.equals(LIST_AND_GET) ? withPublicAccess(PRIVATE) : this;
    }

    /** Without anonymous access and policies of other tools. */
    ContainerAcl closed() {
        return new ContainerAcl(
                "", policies.stream().filter(StoredPolicy::isOfBucketwright).toList());
    }

    /**
     * Refuses all tokens, so that nobody can write. Anonymous clients can only read. {@link #enabled()} undoes it, except for
     * policies of other tools whose ids are too long to be changed: those are left out.
     */
    ContainerAcl disabled() {
        return new ContainerAcl(
                publicAccess,
                policies.stream().flatMap(policy -> policy.disabled().stream()).toList());
    }

    /** Accepts all tokens again. A policy that somebody has created again in the meantime is kept as it is. */
    ContainerAcl enabled() {
        return new ContainerAcl(
                publicAccess,
                policies.stream()
                        .filter(policy -> !policy.isDisabled()
                                || policies.stream()
                                        .noneMatch(other -> other.id()
                                                .equals(policy.enabled().id())))
                        .map(StoredPolicy::enabled)
                        .toList());
    }

    ContainerAcl without(Predicate<StoredPolicy> removed) {
        return new ContainerAcl(
                publicAccess, policies.stream().filter(removed.negate()).toList());
    }

    ContainerAcl with(StoredPolicy added) {
        return new ContainerAcl(
                publicAccess, Stream.concat(policies.stream(), Stream.of(added)).toList());
    }

    ContainerAcl changed(Predicate<StoredPolicy> affected, UnaryOperator<StoredPolicy> change) {
        return new ContainerAcl(
                publicAccess,
                policies.stream()
                        .map(policy -> affected.test(policy) ? change.apply(policy) : policy)
                        .toList());
    }
}
