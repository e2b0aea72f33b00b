package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.AccessController;
import io.bucketwright.cosi.core.AccessController.DriverPort;
import io.bucketwright.cosi.core.AccessFacts;
import io.bucketwright.cosi.core.AccessObservation.Settings;
import io.bucketwright.cosi.core.AccessRecord;
import io.bucketwright.cosi.core.GrantingBucket;
import io.bucketwright.cosi.core.Permission;
import io.bucketwright.cosi.core.RequestedAccess;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** BucketAccesses of {@code objectstorage.k8s.io}: their ledger is an annotation of the Bucket. */
final class ReleasedAccessRecord implements AccessRecord {

    private final ReleasedSidecarCaches caches;
    private final ApiWriter writer;
    private final String driverName;

    private ReleasedAccessRecord(ReleasedSidecarCaches caches, ApiWriter writer, String driverName) {
        this.caches = caches;
        this.writer = writer;
        this.driverName = driverName;
    }

    /** Registers the controller for BucketAccesses with the process. */
    static void register(ReleasedContext context) {
        ReleasedSidecarCaches caches = context.caches();
        DriverPort driver = new DriverPort(
                context.driver()::driver,
                context::preconditions,
                () -> context.settings().namesAreIds() || caches.namesAreIds()
                        ? new Settings(context.settings().patience(), true)
                        : context.settings());
        Controller<ObjectKey> controller =
                register(context.runtime(), context.driverName(), caches, driver, context.workers());
        context.driver().onChange(() -> caches.grantees().forEach(controller::add));
    }

    static Controller<ObjectKey> register(
            ControllerContext runtime,
            String driverName,
            ReleasedSidecarCaches caches,
            DriverPort driver,
            int workers) {
        return AccessController.register(
                        "objectstorage-bucketaccess-sidecar",
                        runtime,
                        new ReleasedAccessRecord(caches, runtime.writer(), driverName),
                        driver,
                        workers,
                        caches::grantees)
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.buckets, caches::granteesOf)
                .watchRelated(caches.claims, caches::accessKeysOf)
                .watchRelated(caches.accessClasses, caches::accessKeysOf);
    }

    @Override
    public AccessFacts facts(ObjectKey key) {
        Optional<ReleasedBucketAccess> access =
                caches.accesses.get(key.namespace(), key.name()).filter(key::names);
        Optional<ReleasedPermission> permission = access.map(found -> ReleasedPermission.of(caches, found));
        var recorded = caches.bucketsWith(key.uid()).map(caches::granting).toList();
        return new AccessFacts(
                permission.map(this::requested),
                recorded,
                permission
                        .flatMap(ReleasedPermission::bucket)
                        .filter(caches::isServed)
                        .map(caches::granting),
                permission.filter(ReleasedPermission::isEntitled).isPresent(),
                permission.map(found -> found.decide(!recorded.isEmpty())).orElseGet(Permission.Elsewhere::new));
    }

    private RequestedAccess requested(ReleasedPermission permission) {
        ReleasedBucketAccess access = permission.access();
        boolean recordedHere = caches.isDriver(Metadata.annotation(access, ReleasedNames.DRIVER));
        boolean served = permission
                .bucket()
                .map(caches::isServed)
                .or(() -> permission.accessClass().map(caches::isServed))
                .orElse(false);
        return new RequestedAccess(
                access,
                Metadata.hasFinalizer(access, ReleasedNames.ACCESS_FINALIZER),
                served || recordedHere,
                access.spec().credentialsSecretName(),
                access.status().accountID(),
                access.status().accessGranted());
    }

    @Override
    public void protect(HasMetadata access) {
        replace(
                access,
                ReleasedUpdates.finalizers(ReleasedNames.ACCESS_FINALIZER)
                        .andThen(ReleasedUpdates.annotation(ReleasedNames.DRIVER, driverName)));
    }

    @Override
    public void unprotect(HasMetadata access) {
        replace(access, ReleasedUpdates.withoutFinalizers(ReleasedNames.ACCESS_FINALIZER));
    }

    private void replace(HasMetadata access, Consumer<ObjectMeta> change) {
        ReleasedBucketAccess _ =
                writer.replace((ReleasedBucketAccess) access, whole -> ReleasedUpdates.changed(whole, change));
    }

    @Override
    public void writeStatus(HasMetadata access, String accountId, boolean granted) {
        ReleasedBucketAccess _ = writer.replaceStatus(
                ReleasedUpdates.with((ReleasedBucketAccess) access, new ReleasedAccessStatus(accountId, granted)));
    }

    @Override
    public Optional<GrantingBucket> newest(GrantingBucket bucket) {
        return caches.bucket(ObjectKey.of(bucket.object())).map(caches::granting);
    }

    /** The finalizer keeps a Bucket that another sidecar provisioned. */
    @Override
    public void write(GrantingBucket bucket, GrantLedger ledger) {
        Consumer<ObjectMeta> change = ledger.isEmpty()
                ? ReleasedUpdates.withoutAnnotation(ReleasedNames.GRANTS)
                : ReleasedUpdates.annotation(ReleasedNames.GRANTS, GrantLedgerCodec.encode(ledger))
                        .andThen(ReleasedUpdates.finalizers(ReleasedNames.ACCESSED_BUCKET_FINALIZER));
        ReleasedBucket _ =
                writer.replace((ReleasedBucket) bucket.object(), whole -> ReleasedUpdates.changed(whole, change));
    }

    @Override
    public DriverOrder.Grant order(GrantingBucket bucket, Grant grant, Permission.Permitted permission) {
        return ReleasedOrders.grant(
                bucket, grant.account().name(), permission.parameters(), permission.authentication());
    }

    @Override
    public DriverOrder.Revoke revocation(GrantingBucket bucket, Grant grant, String id) {
        return ReleasedOrders.revoke(bucket, id, grant.account().parameters());
    }

    @Override
    public Map<String, String> secretAnnotations() {
        return Map.of(ReleasedNames.DRIVER, driverName);
    }

    @Override
    public Map<String, String> content(HasMetadata access, GrantingBucket bucket, GrantedAccess granted) {
        ReleasedBucketAccess released = (ReleasedBucketAccess) access;
        return BucketInfoContent.data(
                released, caches.classOf(released).orElseGet(ReleasedBucketAccessClass::new), bucket.name(), granted);
    }

    @Override
    public boolean isOf(Secret secret, String uid) {
        return BucketInfoContent.isOf(secret, uid);
    }

    @Override
    public String fingerprint(AccountCredentials credentials) {
        return BucketInfoContent.fingerprint(credentials);
    }

    @Override
    public String fingerprint(Secret secret) {
        return BucketInfoContent.fingerprint(secret);
    }
}
