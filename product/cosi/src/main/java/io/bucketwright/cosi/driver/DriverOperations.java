package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.driver.LateRequests.Deletion;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.NewBucketName;
import io.bucketwright.store.connection.CaBundle;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreOperation;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the driver does, on plain records: each protocol translates its messages. Fails with the exceptions of stores. */
final class DriverOperations {

    /**
     * A call about one bucket.
     *
     * @param parameters of the class
     * @param secrets credentials of an administrator; empty for those of the driver
     */
    record BucketCall(
            StoreCall time,
            String bucket,
            OwnershipTags owners,
            Map<String, String> parameters,
            Map<String, String> secrets) {
        /** Without the secrets. */
        @Override
        public String toString() {
            return "BucketCall for " + bucket;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(DriverOperations.class);

    /** A name that ends with a uid was generated for one Bucket. */
    private static final Pattern UNIQUE =
            Pattern.compile(".*[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");

    private final Map<String, String> defaults;
    private final DriverStores stores;
    private final Duration deleting;
    private final BucketLocks turns = new BucketLocks();
    private final LateRequests late;

    /** @param defaults the parameters of the driver */
    DriverOperations(Map<String, String> defaults, DriverStores stores, Duration deleting, InstantSource time) {
        this.defaults = Map.copyOf(defaults);
        this.stores = stores;
        this.deleting = deleting;
        this.late = new LateRequests(time);
    }

    /**
     * Creates a bucket, and returns its connection data.
     *
     * @param anonymous the anonymous access, as the option of that name spells it; empty if the caller does not say it
     */
    Map<String, String> create(BucketCall request, String anonymous) {
        StoreCall call = request.time();
        CallParameters parameters = CallParameters.of(defaults, request.parameters());
        BucketName bucket = new NewBucketName(name(request)).name();
        BucketOwner owner = request.owners().ofBucket(bucket);
        ProvisionedBucket made = inTurn(request, bucket, parameters, store -> {
            BucketOptions options = options(store, parameters, anonymous);
            request.owners().formerCluster().ifPresent(former -> transfer(store, request, bucket, former));
            if (parameters.adoptFrom().isPresent()) {
                checkCluster(store, request, bucket, parameters.adoptFrom());
            }
            ProvisionRequest creation =
                    new ProvisionRequest(bucket, naming(bucket), owner, Access.none(), options, Set.of());
            return late.create(
                    bucket.text(), () -> store.call(StoreOperation.PROVISION, call, s -> s.provision(call, creation)));
        });
        return ConnectionData.of(made, KeyRenames.none()).config();
    }

    /** Ends what opens a bucket to others, and creates nothing: the bucket is kept and nobody uses it. */
    void close(BucketCall request) {
        BucketName bucket = name(request);
        BucketOwner owner = request.owners().ofBucket(bucket);
        BucketOwner _ = inTurn(request, bucket, toEnd(request), store -> {
            try {
                close(request.time(), store, bucket, owner);
            } catch (NotFound e) {
                LOG.debug("Bucket {} does not exist, so that nothing opens it", bucket, e);
            }
            return owner;
        });
    }

    /**
     * Deletes a bucket. Never takes one over from another cluster, unless the caller transfers it.
     *
     * @param usual what happens to a bucket with objects if neither the request nor the driver says it
     * @return why the caller must call again; empty if the bucket is deleted
     */
    Optional<String> delete(BucketCall request, OnNotEmpty usual) {
        StoreCall call = request.time();
        BucketName bucket = existing(request);
        CallParameters parameters = toEnd(request);
        OnNotEmpty onNotEmpty = parameters.onNotEmpty().orElse(usual);
        BucketOwner owner = request.owners().ofBucket(bucket);
        Deletion deletion = turns.ifFree(
                        bucket.text(),
                        () -> stores.with(parameters, request.secrets(), store -> {
                            request.owners()
                                    .formerCluster()
                                    .ifPresent(former -> transfer(store, request, bucket, former));
                            return late.delete(
                                    bucket.text(),
                                    last -> deleteInSlices(
                                            call,
                                            store,
                                            new DeleteRequest(bucket, owner, onNotEmpty, naming(bucket), last)));
                        }))
                .orElse(Deletion.CONTINUES);
        return switch (deletion) {
            case DONE -> Optional.empty();
            case CONTINUES ->
                Optional.of("The bucket " + bucket
                        + " is being emptied, and will be deleted when it is empty. Call again to go on.");
            case REPEATED ->
                Optional.of("The bucket " + bucket + " is deleted, but the store did not confirm a request to create it"
                        + " and may still create it. Call again to go on.");
        };
    }

    /**
     * Grants access, and returns the connection data and the credentials. The name of the account decides the name of the
     * principal. A grant that has begun is finished also if its caller no longer waits: a revocation by the same name waits
     * for it, and finds all of it.
     */
    Map<String, String> grant(BucketCall request, String account, GrantPermissions permissions) {
        BucketName bucket = name(request);
        CallParameters parameters = CallParameters.of(defaults, request.parameters());
        BucketOwner owner = request.owners().ofAccount(account, bucket);
        Access access = permissions.access();
        ProvisionedBucket made = inTurn(request, bucket, parameters, store -> {
            StoreCall begun = StoreCall.within(RpcAnswers.LONGEST);
            checkCluster(store, request, bucket, parameters.adoptFrom());
            GrantRequest grant = new GrantRequest(bucket, owner, access, kept(store, permissions));
            return store.call(StoreOperation.GRANT, begun, s -> s.grant(begun, grant));
        });
        return connectionData(made, parameters);
    }

    /** Revokes access. An account of the former cluster is revoked, too. */
    void revoke(BucketCall request, String account) {
        StoreCall call = request.time();
        BucketName bucket = existing(request);
        CallParameters parameters = toEnd(request);
        BucketOwner owner = request.owners().ofAccount(account, bucket);
        BucketOwner _ = inTurn(request, bucket, parameters, store -> {
            // An account of another cluster would be left alone and reported as revoked.
            checkCluster(store, request, bucket, Optional.empty());
            store.run(StoreOperation.REVOKE, call, s -> s.revoke(call, bucket, owner));
            request.owners()
                    .formerCluster()
                    .or(parameters::adoptFrom)
                    .map(former -> new BucketOwner(former, owner.uid()))
                    .ifPresent(former -> store.run(StoreOperation.REVOKE, call, s -> s.revoke(call, bucket, former)));
            return owner;
        });
    }

    private static void transfer(MeasuredStore store, BucketCall request, BucketName bucket, String former) {
        TransferRequest transfer =
                TransferRequest.ofOwner(bucket, former, request.owners().ofBucket(bucket));
        store.run(StoreOperation.TRANSFER, request.time(), s -> s.transfer(request.time(), transfer));
    }

    /** Fails if the bucket belongs to another cluster, unless an administrator gives its buckets to this one. */
    private static void checkCluster(
            MeasuredStore store, BucketCall request, BucketName bucket, Optional<String> adoptFrom) {
        BucketOwner owner = request.owners().ofBucket(bucket);
        try {
            store.run(StoreOperation.CHECK_CLUSTER, request.time(), s -> s.checkCluster(request.time(), bucket, owner));
        } catch (Taken elsewhere) {
            String former = adoptFrom.orElseThrow(() -> elsewhere);
            LOG.info("The bucket {} is transferred from the cluster {}", bucket, former);
            transfer(store, request, bucket, former);
        }
    }

    private <R> R inTurn(
            BucketCall request, BucketName bucket, CallParameters parameters, Function<MeasuredStore, R> use) {
        return turns.inTurn(bucket.text(), request.time(), () -> stores.with(parameters, request.secrets(), use));
    }

    private Progress deleteInSlices(StoreCall call, MeasuredStore store, DeleteRequest request) {
        if (request.onNotEmpty() == OnNotEmpty.PURGE) {
            try {
                close(call, store, request.bucket(), request.owner());
            } catch (Taken | NotFound e) {
                // The deletion reports it.
                LOG.debug("Bucket {} is not closed before its deletion", request.bucket(), e);
            }
        }
        StoreCall patience = StoreCall.within(deleting);
        Progress progress;
        do {
            progress = store.call(StoreOperation.DELETE, call, s -> s.delete(call, request));
        } while (progress instanceof Progress.More && !patience.remaining().isZero());
        return progress;
    }

    private static Naming naming(BucketName bucket) {
        return UNIQUE.matcher(bucket.text()).matches() ? Naming.GENERATED : Naming.GIVEN;
    }

    /** Ends anonymous access: anonymous clients could write faster than the store deletes. */
    private static void close(StoreCall call, MeasuredStore store, BucketName bucket, BucketOwner owner) {
        if (store.capabilities().stream().anyMatch(AppliedOptions.ALL_OPENING.kinds()::contains)) {
            UpdateRequest request = UpdateRequest.removing(bucket, owner, AppliedOptions.ALL_OPENING);
            store.run(StoreOperation.UPDATE, call, s -> s.update(call, request));
        }
    }

    private static BucketOptions options(MeasuredStore store, CallParameters parameters, String anonymous) {
        BucketOptions options = BucketOptions.parse(parameters.options());
        boolean managed = options.find(AnonymousAccess.class).isPresent()
                || options.find(Policy.class).isPresent();
        if (anonymous.isEmpty() && (managed || !store.capabilities().contains(Capability.ANONYMOUS_ACCESS))) {
            return options;
        }
        Map<String, String> both = new HashMap<>(parameters.options());
        both.put("anonymousAccess", anonymous.isEmpty() ? "private" : anonymous);
        return BucketOptions.parse(both);
    }

    /** A store that cannot revoke one key later must revoke the old key now: there is no overlap then. */
    private static Set<String> kept(MeasuredStore store, GrantPermissions permissions) {
        return store.capabilities().contains(Capability.ROTATE) ? permissions.publishedKeys() : Set.of();
    }

    /** Applications get one Secret; the design has no ConfigMap. */
    private static Map<String, String> connectionData(ProvisionedBucket made, CallParameters parameters) {
        ConnectionData data = ConnectionData.of(made, KeyRenames.none())
                .withCaBundle(parameters.store().getOrDefault(CaBundle.PARAMETER, ""), KeyRenames.none())
                .withAllInSecret();
        Map<String, String> all = new HashMap<>();
        data.secret().forEach((key, value) -> all.put(key, value.reveal()));
        return all;
    }

    private CallParameters toEnd(BucketCall request) {
        return CallParameters.toEnd(defaults, request.parameters(), stores.parameterNames());
    }

    private static BucketName name(BucketCall request) {
        if (request.bucket().isEmpty()) {
            throw new Invalid("The name of the bucket must not be empty.");
        }
        return new BucketName(request.bucket());
    }

    /** No bucket has an invalid name. */
    private static BucketName existing(BucketCall request) {
        try {
            return name(request);
        } catch (Invalid e) {
            if (request.bucket().isEmpty()) {
                throw e;
            }
            throw new NotFound(
                    "There is no bucket " + InputText.quote(request.bucket()) + ": the name is not valid.", e);
        }
    }
}
