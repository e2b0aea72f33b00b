package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.cosi.controller.AccessRequestView.Copy;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads the caches for the four loops. */
final class Observer {

    private final Known known;
    private final Secrets secrets;
    private final ForeignSecrets foreign;
    private final TakenNames names;
    private final TimeSource time;

    Observer(Known known, Secrets secrets, ForeignSecrets foreign, TakenNames names, TimeSource time) {
        this.known = known;
        this.secrets = secrets;
        this.foreign = foreign;
        this.names = names;
        this.time = time;
    }

    RequestView request(ObjectKey key) {
        Optional<BucketRequest> request =
                known.request(key.namespace(), key.name()).filter(key::names);
        Optional<Bucket> bucket = request.flatMap(it -> bucketNamed(it.getSpec().bucketInstanceName()));
        return new RequestView(
                request,
                known.namespaceUid(key.namespace()),
                request.map(this::classOf).orElse(new ClassChoice.NoDefault()),
                bucket,
                isBucketNameTaken(key),
                known.accessesThrough(key.uid()),
                bucket.filter(it -> isWanted(it, key.uid())).isPresent(),
                request.filter(this::isAskedFor).isPresent(),
                time.now());
    }

    BucketView bucket(ObjectKey key) {
        Optional<Bucket> bucket = known.bucket(key.name()).filter(key::names);
        List<BucketView.Seen> accesses = known.accessesOfBucket(key.name()).stream()
                .filter(access -> access.getSpec().bucketUid().equals(key.uid()))
                .map(access ->
                        new BucketView.Seen(access, secrets.granted(access).isPresent()))
                .toList();
        return new BucketView(
                bucket,
                accesses,
                bucket.filter(it -> isWanted(it, "")).isPresent(),
                bucket.filter(this::isReleased).isPresent());
    }

    AccessRequestView accessRequest(ObjectKey key) {
        Optional<BucketAccessRequest> request =
                known.accessRequest(key.namespace(), key.name()).filter(key::names);
        Optional<BucketAccess> access = accessFor(key);
        Optional<BucketRequest> through = request.flatMap(this::through);
        Optional<Bucket> bucket = access.isPresent()
                ? access.flatMap(this::bucketOf)
                : through.flatMap(it -> bucketNamed(it.getSpec().bucketInstanceName()));
        return new AccessRequestView(
                request,
                known.namespaceUid(key.namespace()),
                through,
                bucket,
                request.flatMap(it -> known.accessClass(it.getSpec().bucketAccessClassName())),
                access,
                request.filter(this::isAccessNameTaken).isPresent(),
                access.flatMap(secrets::granted).isPresent(),
                copy(request, access, key),
                time.now());
    }

    AccessView access(ObjectKey key) {
        Optional<BucketAccess> access = known.access(key.name()).filter(key::names);
        Optional<BucketAccessRequest> request = access.flatMap(it -> known.accessRequest(
                        it.getSpec().bucketAccessRequestNamespace(),
                        it.getSpec().bucketAccessRequestName())
                .filter(asking ->
                        asking.getMetadata().getUid().equals(it.getSpec().bucketAccessRequestUid()))
                .filter(asking -> !Marks.leaving(asking)));
        return new AccessView(
                access,
                request.isPresent(),
                request.map(Rotation::wanted).orElse(""),
                access.flatMap(this::bucketOf),
                access.flatMap(secrets::granted).isPresent(),
                time.now());
    }

    private ClassChoice classOf(BucketRequest request) {
        String name = request.getSpec().bucketClassName();
        if (!name.isEmpty()) {
            return known.bucketClass(name)
                    .<ClassChoice>map(ClassChoice.Chosen::new)
                    .orElse(new ClassChoice.Missing(name));
        }
        List<BucketClass> defaults = known.bucketClasses().stream()
                .filter(BucketClass::isDefaultBucketClass)
                .filter(it -> it.offeredProtocol().equals(request.getSpec().wantedProtocol()))
                .sorted(Comparator.comparing(it -> it.getMetadata().getName()))
                .toList();
        return switch (defaults.size()) {
            case 0 -> new ClassChoice.NoDefault();
            case 1 -> new ClassChoice.Chosen(defaults.getFirst());
            default ->
                new ClassChoice.Ambiguous(
                        defaults.stream().map(it -> it.getMetadata().getName()).toList());
        };
    }

    /** The request that leads to the bucket: the named one, or the first of the namespace that names the same Bucket. */
    private Optional<BucketRequest> through(BucketAccessRequest request) {
        String namespace = request.getMetadata().getNamespace();
        String name = request.getSpec().bucketRequestName();
        if (!name.isEmpty()) {
            return known.request(namespace, name);
        }
        return known.requestsNaming(request.getSpec().bucketInstance()).stream()
                .filter(it -> it.getMetadata().getNamespace().equals(namespace))
                .min(Comparator.comparing(Marks::leaving)
                        .thenComparing(it -> it.getMetadata().getName()));
    }

    private Optional<BucketAccess> accessFor(ObjectKey key) {
        // By name first: whatever an index may miss for a moment, a second create of the same name would be refused.
        return ObjectNames.accesses(key.namespace(), key.name(), key.uid()).stream()
                .flatMap(name -> known.access(name).stream())
                .filter(it -> it.getSpec().bucketAccessRequestUid().equals(key.uid()))
                .findFirst()
                .or(() -> known.accessesFor(key.uid()).stream().findFirst());
    }

    private boolean isBucketNameTaken(ObjectKey key) {
        String name = ObjectNames.bucket(key.namespace(), key.name(), key.uid(), false);
        boolean there = known.bucket(name)
                .filter(other -> other.getSpec()
                        .madeFor()
                        .map(BucketRequestRef::uid)
                        .filter(key.uid()::equals)
                        .isEmpty())
                .isPresent();
        // A request that took the name makes its Bucket next; one that merely names an existing Bucket takes nothing.
        return there
                || names.isAnothers(name, key.uid())
                || known.requestsNaming(name).stream()
                        .filter(other -> !key.names(other))
                        .anyMatch(other -> Marks.annotation(other, Marks.ORIGIN).equals(Marks.NEW));
    }

    private boolean isAccessNameTaken(BucketAccessRequest request) {
        String given = request.getSpec().bucketAccessName();
        String uid = request.getMetadata().getUid();
        String name = given.isEmpty()
                ? ObjectNames.access(
                        request.getMetadata().getNamespace(),
                        request.getMetadata().getName(),
                        uid,
                        false)
                : given;
        boolean there = known.access(name)
                .filter(it -> !it.getSpec().bucketAccessRequestUid().equals(uid))
                .isPresent();
        return there
                || (given.isEmpty()
                        && (names.isAnothers(name, uid)
                                || known.accessRequestsNaming(name).stream()
                                        .anyMatch(other ->
                                                !other.getMetadata().getUid().equals(uid))));
    }

    private Copy copy(Optional<BucketAccessRequest> request, Optional<BucketAccess> access, ObjectKey key) {
        if (request.isEmpty() || access.isEmpty()) {
            return Copy.ABSENT;
        }
        return foreign.isKnown(key) ? Copy.FOREIGN : secrets.compare(access.get(), request.get());
    }

    private Optional<Bucket> bucketNamed(String name) {
        return name.isEmpty() ? Optional.empty() : known.bucket(name);
    }

    private Optional<Bucket> bucketOf(BucketAccess access) {
        return known.bucket(access.getSpec().bucketName())
                .filter(it -> it.getMetadata().getUid().equals(access.getSpec().bucketUid()));
    }

    private boolean isAskedFor(BucketRequest request) {
        return known.askingThrough(request).anyMatch(it -> !Marks.leaving(it));
    }

    /** Whether any other request has a part in the Bucket and is there to stay. Whoever merely names it has none. */
    private boolean isWanted(Bucket bucket, String notThis) {
        return known.requestsNaming(bucket.getMetadata().getName()).stream()
                .filter(it -> !it.getMetadata().getUid().equals(notThis))
                .filter(it -> !Marks.leaving(it))
                .anyMatch(it -> isEntitled(bucket, it));
    }

    private boolean isReleased(Bucket bucket) {
        return known.requestsNaming(bucket.getMetadata().getName()).stream()
                .filter(it -> Marks.leaving(it) && Marks.hasFinalizer(it))
                .anyMatch(it -> isEntitled(bucket, it));
    }

    private boolean isEntitled(Bucket bucket, BucketRequest request) {
        return Permission.isEntitled(
                bucket, request, known.namespaceUid(request.getMetadata().getNamespace()));
    }
}
