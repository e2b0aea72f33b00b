package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.s3.ceph.CephIdentity;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.IdentityKind;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.iam.IamIdentity;
import io.bucketwright.store.s3.identity.Identity;
import io.bucketwright.store.s3.minio.MinioIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a store: chosen by its class, or detected by the first call. That finds out by read requests which API for
 * users and keys the store serves. Only the answer of that API itself counts, that a user does not exist: an error proves
 * nothing. Later calls use its result.
 */
final class IdentitySource implements AutoCloseable {

    /** One API that a store may serve. */
    private record Candidate(
            IdentityKind kind, String name, Predicate<StoreCall> isServed, Supplier<Identity> identity) {}

    /** @param detected empty if the class chose it */
    private record Found(Optional<IdentityKind> detected, Identity identity) {}

    private final List<Candidate> candidates;
    private final AtomicReference<@Nullable Found> found;

    private IdentitySource(List<Candidate> candidates, @Nullable Found chosen) {
        this.candidates = candidates;
        this.found = new AtomicReference<>(chosen);
    }

    /** An identity that the class chose. */
    static IdentitySource of(Identity identity) {
        return new IdentitySource(List.of(), new Found(Optional.empty(), identity));
    }

    static IdentitySource detecting(AwsClients clients, S3Parameters parameters) {
        List<Candidate> candidates = List.of(
                new Candidate(
                        IdentityKind.MINIO,
                        "MinIO",
                        call -> MinioIdentity.isServed(call, clients),
                        () -> MinioIdentity.open(clients)),
                new Candidate(
                        IdentityKind.CEPH,
                        "a Ceph object gateway",
                        call -> CephIdentity.isServed(call, clients),
                        () -> CephIdentity.open(clients)),
                new Candidate(
                        IdentityKind.IAM,
                        "the AWS IAM API",
                        call -> IamIdentity.isServed(call, clients),
                        () -> IamIdentity.open(clients, parameters)));
        return new IdentitySource(candidates, null);
    }

    /** The identity; may send requests. */
    Identity get(StoreCall call) {
        @Nullable Found known = found.get();
        return known != null ? known.identity() : keep(detect(call));
    }

    /** The identity if it is known without a request. */
    Optional<Identity> known() {
        return Optional.ofNullable(found.get()).map(Found::identity);
    }

    /** The kind that was detected; empty if the class chose it, or it is not known yet. */
    Optional<String> detected() {
        return Optional.ofNullable(found.get()).flatMap(Found::detected).map(IdentityKind::text);
    }

    @Override
    public void close() {
        known().ifPresent(Identity::close);
    }

    private Identity keep(Candidate candidate) {
        Found opened =
                new Found(Optional.of(candidate.kind()), candidate.identity().get());
        @Nullable Found earlier = found.compareAndExchange(null, opened);
        if (earlier == null) {
            return opened.identity();
        }
        opened.identity().close();
        return earlier.identity();
    }

    private Candidate detect(StoreCall call) {
        List<String> answers = new ArrayList<>();
        List<StoreException> errors = new ArrayList<>();
        for (Candidate candidate : candidates) {
            try {
                if (candidate.isServed().test(call)) {
                    return candidate;
                }
                answers.add("As " + candidate.name() + ": it does not serve that API.");
            } catch (StoreException e) {
                answers.add("As " + candidate.name() + ": " + e.getMessage());
                errors.add(e);
            }
        }
        String message = answers.stream()
                .collect(Collectors.joining(
                        " ",
                        "Could not detect how the store manages users and access keys. ",
                        " If the endpoints and the administrator's key are right, set the parameter identity of the"
                                + " class."));
        if (errors.stream().anyMatch(Denied.class::isInstance)) {
            throw new Denied(message, errors.getFirst());
        }
        if (errors.stream().anyMatch(Unavailable.class::isInstance)) {
            throw new Unavailable(message, errors.getFirst());
        }
        throw new Unsupported(message);
    }
}
