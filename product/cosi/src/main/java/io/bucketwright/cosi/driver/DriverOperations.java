package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.driver.LateRequests.Deletion;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.cosi.wire.Protocols;
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
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the driver does, on plain records: each protocol translates its messages. Fails with an error of the proposal, or with
 * the exception of the store.
 */
final class DriverOperations {

    /**
     * A call about one bucket.
     *
     * @param protocol that the caller requests
     * @param parameters of the class, and reserved ones of the caller
     * @param secrets credentials of an administrator; empty for those of the driver
     */
    record BucketCall(
            StoreCall time,
            String bucket,
            DataProtocol protocol,
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

    private final DriverSettings settings;
    private final DriverStores stores;
    private final OwnershipTags owners;
    private final Duration deleting;
    private final BucketLocks turns = new BucketLocks();
    private final LateRequests late;

    DriverOperations(DriverSettings settings, DriverStores stores, Duration deleting, InstantSource time) {
        this.settings = settings;
        this.stores = stores;
        this.owners = new OwnershipTags(settings.name());
        this.deleting = deleting;
        this.late = new LateRequests(time);
    }

    /** Creates a bucket, and returns its connection data. */
    Map<String, String> create(BucketCall request, AccessMode mode) {
        check(Operation.CREATE, CosiError.CREATE_INVALID_PROTOCOL, request);
        StoreCall call = request.time();
        CallParameters parameters = CallParameters.of(settings.parameters(), request.parameters());
        BucketName bucket = new NewBucketName(new BucketName(request.bucket())).name();
        BucketOwner owner = owners.ofBucket(bucket, parameters.reserved());
        Naming naming = naming(bucket);
        ProvisionedBucket made = inTurn(request, bucket, parameters, store -> {
            BucketOptions options = options(store, parameters, mode);
            transfer(call, store, bucket, owner, parameters);
            ProvisionRequest creation = new ProvisionRequest(bucket, naming, owner, Access.none(), options, Set.of());
            return late.create(
                    bucket.text(), () -> store.call(StoreOperation.PROVISION, call, s -> s.provision(call, creation)));
        });
        Map<String, String> connection =
                new HashMap<>(ConnectionData.of(made, KeyRenames.none()).config());
        if (settings.protocol() == DataProtocol.S3) {
            connection.put(ParameterKeys.S3_SIGNATURE_VERSION, "S3v4");
        }
        return connection;
    }

    /**
     * Deletes a bucket.
     *
     * @param usual what happens to a bucket with objects if neither the request nor the driver says it
     */
    void delete(BucketCall request, OnNotEmpty usual) {
        check(Operation.DELETE, CosiError.DELETE_INVALID_ARGUMENT, request);
        StoreCall call = request.time();
        BucketName bucket = existing(CosiError.DELETE_BUCKET_DOESNOT_EXIST, request.bucket());
        CallParameters parameters = toEnd(request);
        BucketOwner owner = owners.ofBucket(bucket, parameters.reserved());
        OnNotEmpty onNotEmpty = parameters.onNotEmpty().orElse(usual);
        Deletion deletion = turns.ifFree(
                        bucket.text(),
                        () -> stores.with(parameters, request.secrets(), store -> {
                            transfer(call, store, bucket, owner, parameters);
                            return late.delete(
                                    bucket.text(),
                                    last -> deleteInSlices(
                                            call,
                                            store,
                                            new DeleteRequest(bucket, owner, onNotEmpty, naming(bucket), last)));
                        }))
                .orElse(Deletion.CONTINUES);
        switch (deletion) {
            case DONE -> {}
            case CONTINUES ->
                throw CosiError.DELETE_DELETE_INPROGRESS.exception("The bucket " + bucket
                        + " is being emptied, and will be deleted when it is empty. Call again to go on.");
            case REPEATED ->
                throw CosiError.DELETE_DELETE_INPROGRESS.exception("The bucket " + bucket + " is deleted, but the store"
                        + " did not confirm a request to create it and may still create it. Call again to go on.");
        }
    }

    /** Grants access, and returns the connection data and the credentials. */
    Map<String, String> grant(BucketCall request, GrantPermissions permissions) {
        check(Operation.GRANT, CosiError.GRANT_INVALID_ARGUMENT, request);
        StoreCall call = request.time();
        permissions.serviceAccount().ifPresent(name -> {
            throw CosiError.GRANT_INVALID_PRINCIPAL.exception("The store of driver " + settings.name()
                    + " issues credentials and does not support service accounts of Kubernetes, so "
                    + InputText.quote(name)
                    + " cannot be granted access. Ask for a Secret (accessSecretName) instead.");
        });
        BucketName bucket = new BucketName(request.bucket());
        CallParameters parameters = CallParameters.of(settings.parameters(), request.parameters());
        BucketOwner owner = account(CosiError.GRANT_INVALID_PRINCIPAL, permissions, bucket, parameters);
        Access access = permissions.access();
        ProvisionedBucket made = inTurn(request, bucket, parameters, store -> {
            checkCluster(call, store, bucket, parameters);
            GrantRequest grant = new GrantRequest(bucket, owner, access, kept(store, permissions));
            return store.call(StoreOperation.GRANT, call, s -> s.grant(call, grant));
        });
        return connectionData(made, parameters);
    }

    void revoke(BucketCall request, GrantPermissions permissions) {
        check(Operation.REVOKE, CosiError.REVOKE_INVALID_ARGUMENT, request);
        StoreCall call = request.time();
        BucketName bucket = existing(CosiError.REVOKE_BUCKET_DOESNOT_EXIST, request.bucket());
        CallParameters parameters = toEnd(request);
        BucketOwner owner = account(CosiError.REVOKE_INVALID_PRINCIPAL, permissions, bucket, parameters);
        BucketOwner _ = inTurn(request, bucket, parameters, store -> {
            // An account of another cluster would be left alone and reported as revoked.
            checkCluster(call, store, bucket, parameters);
            store.run(StoreOperation.REVOKE, call, s -> s.revoke(call, bucket, owner));
            owners.formerCluster(parameters.reserved())
                    .map(former -> new BucketOwner(former, owner.uid()))
                    .ifPresent(former -> store.run(StoreOperation.REVOKE, call, s -> s.revoke(call, bucket, former)));
            return owner;
        });
    }

    /** An administrator transfers the bucket from another cluster. Nothing happens if it belongs to this one already. */
    private void transfer(
            StoreCall call, MeasuredStore store, BucketName bucket, BucketOwner owner, CallParameters parameters) {
        owners.formerCluster(parameters.reserved())
                .map(former -> TransferRequest.ofOwner(bucket, former, owner))
                .ifPresent(request -> store.run(StoreOperation.TRANSFER, call, s -> s.transfer(call, request)));
    }

    private void checkCluster(StoreCall call, MeasuredStore store, BucketName bucket, CallParameters parameters) {
        owners.ofKnownBucket(bucket, parameters.reserved())
                .ifPresent(bucketOwner ->
                        store.run(StoreOperation.CHECK_CLUSTER, call, s -> s.checkCluster(call, bucket, bucketOwner)));
    }

    private <R> R inTurn(
            BucketCall request, BucketName bucket, CallParameters parameters, Function<MeasuredStore, R> use) {
        return turns.inTurn(bucket.text(), request.time(), () -> stores.with(parameters, request.secrets(), use));
    }

    private Progress deleteInSlices(StoreCall call, MeasuredStore store, DeleteRequest request) {
        if (request.onNotEmpty() == OnNotEmpty.PURGE) {
            close(call, store, request.bucket(), request.owner());
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
        if (store.capabilities().stream().noneMatch(AppliedOptions.ALL_OPENING.kinds()::contains)) {
            return;
        }
        try {
            UpdateRequest request = UpdateRequest.removing(bucket, owner, AppliedOptions.ALL_OPENING);
            store.run(StoreOperation.UPDATE, call, s -> s.update(call, request));
        } catch (Taken | NotFound e) {
            // The deletion reports it.
            LOG.debug("Bucket {} is not closed before its deletion", bucket, e);
        }
    }

    private static BucketOptions options(MeasuredStore store, CallParameters parameters, AccessMode mode) {
        BucketOptions options = BucketOptions.parse(parameters.options());
        boolean silent = mode == AccessMode.MODE_UNSPECIFIED;
        boolean managed = options.find(AnonymousAccess.class).isPresent()
                || options.find(Policy.class).isPresent();
        if (silent && (managed || !store.capabilities().contains(Capability.ANONYMOUS_ACCESS))) {
            return options;
        }
        Map<String, String> both = new HashMap<>(parameters.options());
        both.put("anonymousAccess", anonymous(mode));
        return BucketOptions.parse(both);
    }

    private static String anonymous(AccessMode mode) {
        return switch (mode) {
            case MODE_UNSPECIFIED -> "private";
            case RO -> "ro";
            case WO -> "wo";
            case RW -> "rw";
            case UNRECOGNIZED -> throw new Invalid("access_mode must be one of RO, WO, RW, or left out for private");
        };
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

    private BucketOwner account(
            CosiError refusal, GrantPermissions permissions, BucketName bucket, CallParameters parameters) {
        String account = permissions
                .account()
                .orElseThrow(() -> StoreErrorMapping.argument(refusal.operation())
                        .exception("permissions must name the account, as " + ParameterKeys.ACCOUNT + "."));
        try {
            return owners.ofAccount(account, bucket, parameters.reserved());
        } catch (Invalid e) {
            throw refusal.exception("The account " + InputText.quote(account)
                    + " must be at most 51 letters, digits, dots, underscores and hyphens, and begin with a letter or"
                    + " digit.");
        }
    }

    private CallParameters toEnd(BucketCall request) {
        return CallParameters.toEnd(settings.parameters(), request.parameters(), stores.parameterNames());
    }

    /** No bucket has an invalid name. */
    private static BucketName existing(CosiError notFound, String name) {
        try {
            return new BucketName(name);
        } catch (Invalid e) {
            throw notFound.exception("There is no bucket " + InputText.quote(name) + ": the name is not valid.");
        }
    }

    private void check(Operation operation, CosiError otherProtocol, BucketCall request) {
        if (request.bucket().isEmpty()) {
            throw StoreErrorMapping.argument(operation).exception("bucket_name must not be empty.");
        }
        if (request.protocol() != settings.protocol()) {
            throw otherProtocol.exception("request_protocol is " + request.protocol() + ", but the driver "
                    + settings.name() + " speaks "
                    + Protocols.name(settings.protocol()).orElse("none") + " only.");
        }
    }
}
