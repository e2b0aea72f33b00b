package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.claims.ClaimState.Reached;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimOptions;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.IssuedCredentials;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.stores.BoundStore;
import io.bucketwright.buckets.stores.BucketRelease;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreOperation;
import io.bucketwright.store.options.Capability;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a claim whose class was deleted and created again, with other parameters that say how the store is reached, or
 * whose administrator Secret names another endpoint: first the store is asked whether it has the bucket, then Secret,
 * ObjectBucket and ConfigMap get what changed. Keys are not rotated. What the ObjectBucket records is used until the store has
 * confirmed the bucket, and if it does not have it.
 */
record ClassChange(ClaimObservation observed, RecordedBucket bucket) {

    /** The ownership tag is the proof that it is the same store: objects are copied from store to store, too. */
    private static final Set<MissingPart> NO_PROOF =
            Set.of(MissingPart.BUCKET, MissingPart.OWNERSHIP, MissingPart.TAGS);

    private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

    /** After a store has answered that it does not have the bucket: it may have been the answer of a store that starts. */
    private static final Duration ASK_AGAIN_WHILE_BOUND = Duration.ofMinutes(5);

    /**
     * What changes in Secret and ConfigMap.
     *
     * @param config the new content of the ConfigMap, with the CA bundle
     * @param plain the same without the CA bundle
     * @param connection how applications connect now; empty if that is unchanged
     * @param connectionString the key of the Secret that contains the endpoint; empty if it has none
     */
    record Move(
            RecordedBucket bucket,
            Map<String, String> config,
            Map<String, String> plain,
            Optional<Connection> connection,
            String connectionString) {

        private static final String SERVICE_ENDPOINT = ConnectionDataKey.AZURE_STORAGE_SERVICE_ENDPOINT.key();
        private static final String TOKEN = ";SharedAccessSignature=";

        static Move of(RecordedBucket bucket, BucketClass changed, @Nullable Connection now, ClaimOptions options) {
            Optional<Connection> connection = Optional.ofNullable(now);
            SortedMap<String, String> plain = new TreeMap<>(bucket.plainConfig());
            connection.ifPresent(to -> content(to, options.renames())
                    .forEach((key, value) -> plain.computeIfPresent(key, (_, _) -> value)));
            Map<String, String> config = new ConnectionData(plain, new TreeMap<>())
                    .withCaBundle(RecordedBucket.caBundle(changed.reference().parameters()), options.renames())
                    .config();
            String key = options.renames().apply("AZURE_STORAGE_CONNECTION_STRING");
            boolean moved = connection
                    .filter(to -> to.values().containsKey(SERVICE_ENDPOINT) && !bucket.isAt(to.endpoint()))
                    .isPresent();
            return new Move(
                    bucket,
                    config,
                    plain,
                    connection,
                    moved && bucket.secretKeys().contains(key) ? key : "");
        }

        /** The content of a ConfigMap for this connection; a store can add to it. */
        private static Map<String, String> content(Connection connection, KeyRenames renames) {
            return ConnectionData.of(new ProvisionedBucket(connection, Credentials.NONE), renames)
                    .config();
        }

        boolean changesSecret() {
            boolean single = bucket.applicationObjects().singleSecret();
            return !connectionString.isEmpty() || (single && !config.equals(bucket.config()));
        }

        /** The content of the Secret, with the same credentials. */
        SortedMap<String, SecretValue> secret(SortedMap<String, SecretValue> former) {
            SortedMap<String, SecretValue> data = new TreeMap<>(former);
            if (bucket.applicationObjects().singleSecret()) {
                data.keySet().removeAll(bucket.config().keySet());
                config.forEach((key, value) -> data.put(key, SecretValue.of(value)));
            }
            if (!connectionString.isEmpty()) {
                String text = former.getOrDefault(connectionString, SecretValue.of(TOKEN))
                        .reveal();
                String token = text.substring(text.indexOf(TOKEN));
                data.put(
                        connectionString,
                        SecretValue.of("BlobEndpoint="
                                + connection.orElseThrow().values().get(SERVICE_ENDPOINT) + token));
            }
            return data;
        }

        @Override
        public String toString() {
            return "Move of " + bucket;
        }
    }

    /** The class whose store is called for a bucket. */
    static BucketClass reached(BoundStore bound, ClaimState state, RecordedBucket bucket) {
        return bound.changed()
                .filter(changed -> !bucket.complete()
                        || state.reached(changed.reference().uid()).hasBucket())
                .orElse(bound.recorded());
    }

    /** The effect of {@link ClaimStep.Reach}. */
    static UnaryOperator<ClaimState> reach(
            MeasuredStore store, StoreCall call, ClaimStep.Reach step, BucketOwner owner) {
        BucketName name = step.bucket().bucketName();
        Set<MissingPart> missing = store.call(StoreOperation.VERIFY, call, s -> s.verify(call, name, owner));
        boolean found = step.bucket().isShared()
                ? !missing.contains(MissingPart.BUCKET)
                : Collections.disjoint(missing, NO_PROOF) && isTagged(store, call, name, owner, mayBeReleased(step));
        return state -> state.withReached(reached(step, Optional.of(found)));
    }

    /** Tags that this release cannot read are no missing part, and prove nothing. */
    private static boolean isTagged(
            MeasuredStore store, StoreCall call, BucketName name, BucketOwner owner, boolean released) {
        return !store.capabilities().contains(Capability.LIST)
                || BucketRelease.tags(store, call, name)
                        .filter(tags ->
                                tags.currentOwner().filter(owner::equals).isPresent()
                                        || (released && tags.isReleasedBy(owner)))
                        .isPresent();
    }

    /** An earlier process may have released the bucket already, and ended before it could remember that. */
    private static boolean mayBeReleased(ClaimStep.Reach step) {
        return step.attempt()
                .observed()
                .claim()
                .filter(claim -> !Metadata.isBeingDeleted(claim))
                .isEmpty();
    }

    /** {@link ClaimStep.Reach} failed: the next attempt to release the bucket does not wait for it. */
    static UnaryOperator<ClaimState> unreached(ClaimStep.Reach step) {
        return state -> state.withReached(reached(step, Optional.empty()));
    }

    private static Reached reached(ClaimStep.Reach step, Optional<Boolean> found) {
        return new Reached(
                step.bucketClass().reference().uid(),
                found,
                Optional.of(step.attempt().observed().moment()));
    }

    /** The class whose store has not answered yet; empty if there is none. */
    private Optional<BucketClass> unanswered() {
        return pending()
                .filter(_ -> bucket.complete())
                .filter(changed -> answer(changed).found().isEmpty());
    }

    /**
     * The question to the store before the bucket is released; empty if there is none, or if it was asked in vain a moment ago:
     * the bucket is then released as it is recorded. If that fails too, both ways are tried in turn.
     */
    Optional<Decision<ClaimStep>> reachBeforeRelease() {
        return unanswered()
                .filter(changed -> answer(changed)
                        .unansweredAt()
                        .filter(at -> failedLast(Operation.REACH)
                                || observed.moment().since(at).compareTo(ASK_AGAIN) < 0)
                        .isEmpty())
                .or(() -> failedLast(Operation.RELEASE) ? missed(ASK_AGAIN) : Optional.empty())
                .map(changed -> Decision.act(new ClaimStep.Reach(observed.attempt(Operation.REACH), changed)));
    }

    private boolean failedLast(Operation operation) {
        return observed.failure()
                .filter(failed -> failed.operation() == operation)
                .isPresent();
    }

    /** The class whose store answered that long ago, or earlier, that it does not have the bucket. */
    private Optional<BucketClass> missed(Duration ago) {
        return pending()
                .filter(_ -> bucket.complete())
                .filter(changed -> answer(changed)
                        .missedAt()
                        .filter(at -> observed.moment().since(at).compareTo(ago) >= 0)
                        .isPresent());
    }

    private Reached answer(BucketClass changed) {
        return observed.state().reached(changed.reference().uid());
    }

    /** When the store is asked again; empty if it is not, or waits for a back-off. */
    Optional<Duration> nextTime() {
        return pending()
                .flatMap(changed -> answer(changed).missedAt())
                .map(at -> ASK_AGAIN_WHILE_BOUND.minus(observed.moment().since(at)));
    }

    /** The next step until everything is as the class says; empty if it is, or if the store cannot be reached so. */
    Optional<Decision<ClaimStep>> follow(ClaimOptions options) {
        Optional<BucketClass> changed = pending();
        if (changed.isEmpty() || failure().isPresent()) {
            return Optional.empty();
        }
        if (!bucket.complete()) {
            return Optional.of(record(ObjectBucketContent.withClass(bucket, changed.get())));
        }
        if (unanswered().isPresent() || missed(ASK_AGAIN_WHILE_BOUND).isPresent()) {
            return Optional.of(
                    observed.unlessBlocked(Operation.REACH, attempt -> new ClaimStep.Reach(attempt, changed.get())));
        }
        if (!answer(changed.get()).hasBucket()
                || !bucket.uses(options.renames())
                || observed.state().provisioned().isPresent()
                || isConnectionUnknown()) {
            return Optional.empty();
        }
        Optional<Connection> connection = connection();
        return move(Move.of(bucket, changed.get(), connection.orElse(null), options), changed.get(), options);
    }

    private Optional<Decision<ClaimStep>> move(Move move, BucketClass changed, ClaimOptions options) {
        if (!move.changesSecret()) {
            return Optional.of(record(ObjectBucketContent.moved(
                    bucket, changed, move.plain(), move.connection().orElse(null), options, null)));
        }
        Optional<ChildObject.Owned<Secret>> current = observed.currentSecret();
        if (current.isEmpty()) {
            return Optional.empty();
        }
        ChildObject.Owned<Secret> secret = current.get();
        if (bucket.matches(secret)) {
            return Optional.of(observed.unlessBlocked(
                    Operation.SECRET, attempt -> new ClaimStep.MoveSecret(attempt, move, secret.bare())));
        }
        return IssuedCredentials.in(secret.bare())
                .filter(issued -> issued.keyId().equals(bucket.grants().keyId()) && issued.matches(secret))
                .map(issued -> record(ObjectBucketContent.moved(
                        bucket, changed, move.plain(), move.connection().orElse(null), options, issued)));
    }

    /** Why bound claims do not use what the class says, although it was created again; empty if they do. */
    Optional<ClaimStatus> warning() {
        String name = bucket.intent().storageClassName();
        Optional<String> problem = observed.bound().map(BoundStore::problem).filter(found -> !found.isEmpty());
        if (problem.isPresent()) {
            return notFollowed("StorageClass " + name
                    + " was created again, and its parameters cannot be used together with those that are recorded"
                    + " for this bucket, so that the store is reached as recorded: " + problem.get());
        }
        if (isElsewhere() && isSecretChanged()) {
            return notFollowed("The administrator Secret of StorageClass " + name
                    + " names another endpoint, whose store does not have this bucket. Applications keep the former"
                    + " endpoint. An administrator corrects the Secret.");
        }
        if (isElsewhere()) {
            return notFollowed("StorageClass " + name
                    + " was created again and names another store, or one that"
                    + " does not have this bucket. The store is reached as recorded when the claim was bound. If it"
                    + " is the same store at another endpoint, an administrator sets the parameter "
                    + ClassParameters.SAME_STORE_AS + " of the class to the former endpoint.");
        }
        if (isConnectionUnknown()) {
            return notFollowed("StorageClass " + name
                    + " was created again, and it is not known yet how applications connect to its store. They"
                    + " keep the former endpoint and certificates. An administrator checks that the administrator"
                    + " Secret of the class exists and has the keys of its store.");
        }
        return failure()
                .flatMap(failed -> notFollowed((isSecretChanged()
                                ? "The administrator Secret of StorageClass " + name
                                        + " names another endpoint, and that"
                                : "StorageClass " + name + " was created again, and its store")
                        + " cannot be reached. Applications keep the former endpoint and certificates: "
                        + failed.problem().message()))
                .map(ClaimStatus::varying);
    }

    private static Optional<ClaimStatus> notFollowed(String message) {
        return Optional.of(ClaimStatus.readyBut(ClaimReason.CLASS_NOT_FOLLOWED, message));
    }

    private Decision<ClaimStep> record(Map<String, ?> fields) {
        return Decision.act(ClaimStep.record(bucket, fields));
    }

    private Optional<Connection> connection() {
        return observed.store().flatMap(store -> store.connection(bucket.bucketName()));
    }

    /** Whether applications may have to connect in another way now, and it is not known how. */
    private boolean isConnectionUnknown() {
        return pending()
                .filter(changed -> answer(changed).hasBucket())
                .filter(changed -> connection().isEmpty())
                .filter(changed ->
                        changesStore(changed) || !observed.store().orElseThrow().isAdministratorKnown())
                .isPresent();
    }

    /** Whether a parameter of the store changed, and not only the name of its administrator's Secret. */
    private boolean changesStore(BucketClass changed) {
        Map<String, String> now = new HashMap<>(changed.reference().parameters());
        Map<String, String> recorded = new HashMap<>(bucket.intent().parameters());
        Set<String> ofController = ClassParameters.names();
        now.keySet().removeAll(ofController);
        recorded.keySet().removeAll(ofController);
        return !now.equals(recorded);
    }

    private Optional<BucketClass> pending() {
        return observed.bound().flatMap(BoundStore::changed);
    }

    /** Why the store cannot be asked at present. */
    Optional<FailedAttempt> failure() {
        return pending().flatMap(_ -> observed.blocking(Operation.REACH));
    }

    /** Whether only the endpoint in the administrator Secret changed. */
    private boolean isSecretChanged() {
        return observed.bound().filter(BoundStore::isAsRecorded).isPresent();
    }

    /** Whether the class names a store that does not have the bucket, so that what the ObjectBucket records is used. */
    private boolean isElsewhere() {
        return observed.bound().filter(BoundStore::elsewhere).isPresent()
                || pending().flatMap(changed -> answer(changed).missedAt()).isPresent();
    }
}
