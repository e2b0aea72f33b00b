package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.driver.LateRequests.Deletion;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.Bucket;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GenericCredentials;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.ProviderCredentials;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessResponse;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.store.BucketStore;
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

/** What each RPC does. Fails with an error of the proposal, or with the exception of the store. */
final class DriverOperations {

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

    CreateBucketResponse create(StoreCall call, CreateBucketRequest request) {
        requireText(Operation.CREATE, "bucket_name", request.getBucketName());
        requireProtocol(CosiError.CREATE_INVALID_PROTOCOL, request.getRequestProtocol());
        CallParameters parameters = CallParameters.of(settings.parameters(), request.getDriverParametersMap());
        BucketName bucket = new NewBucketName(new BucketName(request.getBucketName())).name();
        BucketOwner owner = owners.ofBucket(bucket, parameters.reserved());
        Naming naming = naming(bucket);
        ProvisionedBucket made = inTurn(call, bucket, parameters, request.getSecretsMap(), store -> {
            BucketOptions options = options(store, parameters, request.getAccessMode());
            transfer(call, store, bucket, owner, parameters);
            ProvisionRequest creation = new ProvisionRequest(bucket, naming, owner, Access.none(), options, Set.of());
            return late.create(bucket.text(), () -> store.provision(call, creation));
        });
        Map<String, String> connection =
                new HashMap<>(ConnectionData.of(made, KeyRenames.none()).config());
        if (settings.protocol() == DataProtocol.S3) {
            connection.put(ParameterKeys.S3_SIGNATURE_VERSION, "S3v4");
        }
        return CreateBucketResponse.newBuilder()
                .setBucket(Bucket.newBuilder()
                        .setName(bucket.text())
                        .setProvisioner(settings.name())
                        .setAccessMode(request.getAccessMode())
                        .setProviderContext(ProviderContext.newBuilder()
                                .setGenericContext(GenericContext.newBuilder().putAllBucketData(connection))))
                .build();
    }

    /**
     * Deletes a bucket.
     *
     * @param usual what happens to a bucket with objects if neither the request nor the driver says it
     */
    DeleteBucketResponse delete(StoreCall call, DeleteBucketRequest request, OnNotEmpty usual) {
        requireText(Operation.DELETE, "bucket_name", request.getBucketName());
        requireProtocol(CosiError.DELETE_INVALID_ARGUMENT, request.getRequestProtocol());
        BucketName bucket = existing(CosiError.DELETE_BUCKET_DOESNOT_EXIST, request.getBucketName());
        CallParameters parameters = toEnd(request.getDriverParametersMap());
        BucketOwner owner = owners.ofBucket(bucket, parameters.reserved());
        OnNotEmpty onNotEmpty = parameters.onNotEmpty().orElse(usual);
        Deletion deletion = turns.ifFree(
                        bucket.text(),
                        () -> stores.with(parameters, request.getSecretsMap(), store -> {
                            transfer(call, store, bucket, owner, parameters);
                            return late.delete(
                                    bucket.text(),
                                    last -> deleteInSlices(
                                            call,
                                            store,
                                            new DeleteRequest(bucket, owner, onNotEmpty, naming(bucket), last)));
                        }))
                .orElse(Deletion.CONTINUES);
        return switch (deletion) {
            case DONE -> DeleteBucketResponse.getDefaultInstance();
            case CONTINUES ->
                throw CosiError.DELETE_DELETE_INPROGRESS.exception("The bucket " + bucket
                        + " is being emptied, and will be deleted when it is empty. Call again to go on.");
            case REPEATED ->
                throw CosiError.DELETE_DELETE_INPROGRESS.exception("The bucket " + bucket + " is deleted, but the store"
                        + " did not confirm a request to create it and may still create it. Call again to go on.");
        };
    }

    GrantBucketAccessResponse grant(StoreCall call, GrantBucketAccessRequest request) {
        requireText(Operation.GRANT, "bucket_name", request.getBucketName());
        requireProtocol(CosiError.GRANT_INVALID_ARGUMENT, request.getRequestProtocol());
        GrantPermissions permissions = new GrantPermissions(request.getPermissionsMap());
        permissions.serviceAccount().ifPresent(name -> {
            throw CosiError.GRANT_INVALID_PRINCIPAL.exception("The store of driver " + settings.name()
                    + " issues credentials and does not support service accounts of Kubernetes, so "
                    + InputText.quote(name)
                    + " cannot be granted access. Ask for a Secret (accessSecretName) instead.");
        });
        BucketName bucket = new BucketName(request.getBucketName());
        CallParameters parameters = toUse(bucketData(request.getProviderContext()));
        BucketOwner owner = account(CosiError.GRANT_INVALID_PRINCIPAL, permissions, bucket, parameters);
        Access access = permissions.access();
        ProvisionedBucket made = inTurn(call, bucket, parameters, request.getSecretsMap(), store -> {
            checkCluster(call, store, bucket, parameters);
            return store.grant(call, new GrantRequest(bucket, owner, access, kept(store, permissions)));
        });
        return GrantBucketAccessResponse.newBuilder()
                .addCreds(ProviderCredentials.newBuilder()
                        .setGenericCredentials(
                                GenericCredentials.newBuilder().putAllCredentials(connectionData(made, parameters))))
                .build();
    }

    RevokeBucketAccessResponse revoke(StoreCall call, RevokeBucketAccessRequest request) {
        requireText(Operation.REVOKE, "bucket_name", request.getBucketName());
        requireProtocol(CosiError.REVOKE_INVALID_ARGUMENT, request.getRequestProtocol());
        BucketName bucket = existing(CosiError.REVOKE_BUCKET_DOESNOT_EXIST, request.getBucketName());
        CallParameters parameters = toEnd(bucketData(request.getProviderContext()));
        BucketOwner owner = account(
                CosiError.REVOKE_INVALID_PRINCIPAL,
                new GrantPermissions(request.getPermissionsMap()),
                bucket,
                parameters);
        return inTurn(call, bucket, parameters, request.getSecretsMap(), store -> {
            // An account of another cluster would be left alone and reported as revoked.
            checkCluster(call, store, bucket, parameters);
            store.revoke(call, bucket, owner);
            owners.formerCluster(parameters.reserved())
                    .ifPresent(former -> store.revoke(call, bucket, new BucketOwner(former, owner.uid())));
            return RevokeBucketAccessResponse.getDefaultInstance();
        });
    }

    /** An administrator transfers the bucket from another cluster. Nothing happens if it belongs to this one already. */
    private void transfer(
            StoreCall call, BucketStore store, BucketName bucket, BucketOwner owner, CallParameters parameters) {
        owners.formerCluster(parameters.reserved())
                .ifPresent(former -> store.transfer(call, TransferRequest.ofOwner(bucket, former, owner)));
    }

    private void checkCluster(StoreCall call, BucketStore store, BucketName bucket, CallParameters parameters) {
        owners.ofKnownBucket(bucket, parameters.reserved())
                .ifPresent(bucketOwner -> store.checkCluster(call, bucket, bucketOwner));
    }

    private <R> R inTurn(
            StoreCall call,
            BucketName bucket,
            CallParameters parameters,
            Map<String, String> secrets,
            Function<BucketStore, R> use) {
        return turns.inTurn(bucket.text(), call, () -> stores.with(parameters, secrets, use));
    }

    private Progress deleteInSlices(StoreCall call, BucketStore store, DeleteRequest request) {
        if (request.onNotEmpty() == OnNotEmpty.PURGE) {
            close(call, store, request.bucket(), request.owner());
        }
        StoreCall patience = StoreCall.within(deleting);
        Progress progress;
        do {
            progress = store.delete(call, request);
        } while (progress instanceof Progress.More && !patience.remaining().isZero());
        return progress;
    }

    private static Naming naming(BucketName bucket) {
        return UNIQUE.matcher(bucket.text()).matches() ? Naming.GENERATED : Naming.GIVEN;
    }

    /** Ends anonymous access: anonymous clients could write faster than the store deletes. */
    private static void close(StoreCall call, BucketStore store, BucketName bucket, BucketOwner owner) {
        if (store.capabilities().stream().noneMatch(AppliedOptions.ALL_OPENING.kinds()::contains)) {
            return;
        }
        try {
            store.update(call, UpdateRequest.removing(bucket, owner, AppliedOptions.ALL_OPENING));
        } catch (Taken | NotFound e) {
            // The deletion reports it.
            LOG.debug("Bucket {} is not closed before its deletion", bucket, e);
        }
    }

    private static BucketOptions options(BucketStore store, CallParameters parameters, AccessMode mode) {
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
    private static Set<String> kept(BucketStore store, GrantPermissions permissions) {
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

    private CallParameters toUse(Map<String, String> requests) {
        return CallParameters.of(settings.parameters(), requests);
    }

    private CallParameters toEnd(Map<String, String> requests) {
        return CallParameters.toEnd(settings.parameters(), requests, stores.parameterNames());
    }

    private static Map<String, String> bucketData(ProviderContext context) {
        return context.getGenericContext().getBucketDataMap();
    }

    /** No bucket has an invalid name. */
    private static BucketName existing(CosiError notFound, String name) {
        try {
            return new BucketName(name);
        } catch (Invalid e) {
            throw notFound.exception("There is no bucket " + InputText.quote(name) + ": the name is not valid.");
        }
    }

    private static void requireText(Operation operation, String field, String value) {
        if (value.isEmpty()) {
            throw StoreErrorMapping.argument(operation).exception(field + " must not be empty.");
        }
    }

    private void requireProtocol(CosiError refusal, DataProtocol protocol) {
        if (protocol != settings.protocol()) {
            throw refusal.exception("request_protocol is " + protocol + ", but the driver " + settings.name()
                    + " speaks " + Protocols.name(settings.protocol()).orElse("none") + " only.");
        }
    }
}
