package io.bucketwright.buckets.objects;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.Account;
import io.bucketwright.store.grants.Grant.Publication;
import io.bucketwright.store.grants.Grant.State;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.Grantee;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The credentials of one claim, as the ledger in its ObjectBucket has them. All belong to one user of the store. A key whose
 * time has come is deleted because the ledger has it: nothing that a tenant writes prevents that.
 */
public record ClaimGrants(GrantLedger ledger) {

    public static final ClaimGrants NONE = new ClaimGrants(GrantLedger.EMPTY);

    /** Identifies the administrator's key that credentials are made of. */
    private static final String ISSUER = "administratorKey";
    /** The last request for a rotation that was acted on. */
    private static final String ROTATED_FOR = "rotatedFor";

    /** Two keys of a user, and one that was replaced when its Secret was lost. */
    private static final int MOST = 3;

    /** What is the same in all grants of a claim: the user in the store is computed from the uid. */
    static Grant usual(ObjectKey claim, String secret) {
        Grantee grantee = new Grantee(claim.namespace(), claim.name(), claim.uid());
        Account account = new Account(BucketOwner.principalOf(claim.uid()).text(), "", Map.of());
        return Grant.issuing(NONE.ledger.nextId(), grantee, account, Instant.EPOCH)
                .with(new Publication(secret, ""));
    }

    /** Before the store is called for the first time. */
    static ClaimGrants requested(Grant usual, Instant now) {
        return new ClaimGrants(NONE.ledger.with(Grant.issuing(usual.id(), usual.grantee(), usual.account(), now)));
    }

    private Optional<Grant> last(Predicate<Grant> wanted) {
        return ledger.grants().stream().filter(wanted).reduce((_, later) -> later);
    }

    /** What the Secret has; of a claim without credentials, that it has a user. */
    public Optional<Grant> current() {
        return last(grant -> grant.state() == State.PUBLISHED || grant.state() == State.ISSUED);
    }

    /** The id of the credentials in the Secret; empty if there are none. */
    public String keyId() {
        return current().map(grant -> grant.publication().keyId()).orElse("");
    }

    /** Identifies the administrator's key that the credentials in the Secret are made of; empty if that is unknown. */
    public String issuer() {
        return parameter(ISSUER);
    }

    public String rotatedFor() {
        return parameter(ROTATED_FOR);
    }

    private String parameter(String name) {
        return current()
                .map(grant -> grant.account().parameters().getOrDefault(name, ""))
                .orElse("");
    }

    public Set<String> keys() {
        return ledger.grants().stream()
                .map(grant -> grant.publication().keyId())
                .filter(id -> !id.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** What ends next: a key from before a rotation, or what a late request may have created; empty if nothing does. */
    public Optional<Grant> ending() {
        return ledger.grants().stream()
                .filter(grant -> grant.until().isPresent())
                .min(Comparator.comparing(grant -> grant.until().orElseThrow()));
    }

    /** The id of what ends next; empty if nothing does. */
    public String endingId() {
        return ending().map(Grant::id).orElse("");
    }

    public Instant end() {
        return ending().flatMap(Grant::until).orElse(Instant.EPOCH);
    }

    /** Whether pods may use a key from before the last rotation. */
    public boolean isRetiring() {
        return ledger.in(State.RETIRING).findAny().isPresent();
    }

    /** Whether the store may still carry out a request for the bucket or a key that it did not respond to. */
    public boolean expectsLateKeys(Instant now) {
        return ledger.in(State.UNCONFIRMED)
                .flatMap(grant -> grant.until().stream())
                .anyMatch(now::isBefore);
    }

    public ClaimGrants without(String id) {
        return new ClaimGrants(ledger.without(id));
    }

    /**
     * The credentials that are in the Secret now.
     *
     * @param request the request for a rotation that they complete; empty if there was none
     */
    public Grant grant(RecordedBucket bucket, IssuedCredentials issued, String request, Instant now) {
        Map<String, String> parameters = new TreeMap<>();
        parameters.put(ISSUER, issued.issuer());
        parameters.put(ROTATED_FOR, request.isEmpty() ? rotatedFor() : request);
        parameters.values().removeIf(String::isEmpty);
        Grant usual = bucket.usualGrant();
        return as(ledger.nextId(), usual)
                .with(new Account(usual.account().name(), "", parameters))
                .with(new Publication(usual.publication().secret(), issued.keyId()))
                .in(issued.keyId().isEmpty() ? State.ISSUED : State.PUBLISHED, now);
    }

    /** The store has issued these credentials, and has deleted all others of the user. */
    public ClaimGrants issued(Grant next) {
        Optional<Grant> open = unanswered();
        GrantLedger kept = new GrantLedger(ledger.issued(), open.stream().toList());
        return new ClaimGrants(kept.with(open.map(grant -> as(grant.id(), next)).orElse(next)));
    }

    /**
     * The store has issued these credentials, and the user has others that it deletes later.
     *
     * @param previous the key that stays valid until then; empty if applications have none
     */
    public ClaimGrants issued(Grant next, String previous, Instant until) {
        Optional<Grant> former = last(grant ->
                        !previous.isEmpty() && grant.publication().keyId().equals(previous))
                .or(this::unanswered);
        GrantLedger kept = new GrantLedger(ledger.issued(), former.stream().toList());
        Publication secret =
                new Publication(previous.isEmpty() ? "" : next.publication().secret(), previous);
        GrantLedger both = kept.with(former.orElse(next)
                .with(secret)
                .in(previous.isEmpty() ? State.UNCONFIRMED : State.RETIRING, next.since())
                .endingAt(until));
        return new ClaimGrants(both.with(as(both.nextId(), next)));
    }

    /** The request that the store has not answered until now, or never will. */
    private Optional<Grant> unanswered() {
        return last(grant -> grant.state() == State.ISSUING);
    }

    /** Whether credentials that nobody recorded can have been issued: not if somebody only writes that again and again. */
    public boolean mayHaveOthers(String keyId) {
        return !keyId.isEmpty() && ledger.grants().size() < MOST && !keys().contains(keyId);
    }

    /** These credentials are in the Secret since before a crash; what the store deleted before that is not known. */
    public ClaimGrants found(Grant next, Instant until) {
        GrantLedger former = current()
                .map(replaced ->
                        ledger.with(replaced.in(State.RETIRING, next.since()).endingAt(until)))
                .orElse(ledger);
        return new ClaimGrants(former.with(next));
    }

    private static Grant as(String id, Grant grant) {
        return new Grant(
                id, grant.grantee(), grant.account(), grant.publication(), grant.state(), grant.since(), grant.until());
    }
}
