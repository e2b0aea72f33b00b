package io.bucketwright.buckets;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipConflict;
import io.bucketwright.store.ownership.UnprovenPrincipal;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A store in memory that tests can inspect: buckets with tags and objects, principals with keys, and all calls. */
public final class MemoryStore implements CompleteStore {

    private static final int SLICE = 10;

    public static final class Bucket {
        OwnershipTags tags;
        long objects;
        AccessMode access = AccessMode.NONE;
        BucketOptions options = BucketOptions.unmanaged();
        Parameters storeOptions = new Parameters(Map.of());

        Bucket(OwnershipTags tags) {
            this.tags = tags;
        }

        boolean isOpen() {
            return !AppliedOptions.of(options).opening().isEmpty();
        }

        /** The tags are as requested, and a former owner has no principal any more. */
        void change(OwnershipChange change, Map<String, Principal> principals) {
            if (change instanceof OwnershipChange.NewTags(Optional<BucketOwner> former, OwnershipTags next)) {
                former.map(BucketOwner::toString).ifPresent(principals::remove);
                tags = next;
            }
        }
    }

    /** A principal; each key is an id and its secret. */
    public static final class Principal {
        final Map<String, String> keys = new TreeMap<>();
        final String bucket;
        boolean suspended;

        Principal(String bucket) {
            this.bucket = bucket;
        }
    }

    final Map<String, Bucket> buckets = new TreeMap<>();
    private final EnumSet<Capability> lacking = EnumSet.noneOf(Capability.class);
    final Map<String, Principal> principals = new TreeMap<>();
    final List<String> calls = new ArrayList<>();
    final Set<String> everCreated = new HashSet<>();
    private final List<ClaimIdentity> granted = new ArrayList<>();
    private Consumer<String> before = call -> {};
    private Consumer<String> after = call -> {};
    private Optional<Consumer<Runnable>> late = Optional.empty();
    private Duration accessEnds = Duration.ZERO;
    private final Set<String> unproven = new HashSet<>();
    private String address = "";

    /** The address that the store returns with credentials; empty for one that all tests share. */
    public synchronized void address(String endpoint) {
        address = endpoint;
    }

    /** Deleted credentials may be accepted for a while. */
    public synchronized void accessEndsWithin(Duration delay) {
        accessEnds = delay;
    }

    @Override
    public synchronized Duration accessEndsWithin() {
        return accessEnds;
    }

    /** Somebody removes the tags of all principals in the store. */
    public synchronized void loseTagsOfPrincipals() {
        unproven.addAll(principals.keySet());
    }

    /** Somebody replaces the tags of a bucket in the store. */
    public synchronized void loseTags(String bucket) {
        find(bucket).tags = new OwnershipTags.Untagged();
    }

    /** The tags say that an earlier owner had to keep the bucket. */
    public synchronized void keep(String bucket) {
        Bucket found = find(bucket);
        BucketOwner owner = found.tags.currentOwner().orElseThrow();
        found.tags = new OwnershipTags.Owned(owner, found.tags.claimOrNone(), Reclaim.RETAIN);
    }

    /** A release that is newer than this one writes the tags of a bucket. */
    public synchronized void writeNewerTags(String bucket) {
        find(bucket).tags = new OwnershipTags.Unreadable();
    }

    /**
     * The store does not respond to the next request that creates, changes, deletes or releases something in time.
     *
     * @param schedule gets the effect of that request, which the store carries out later
     */
    public synchronized void respondLate(Consumer<Runnable> schedule) {
        late = Optional.of(schedule);
    }

    /** Called with the name of each call before it takes effect; may throw. */
    public synchronized void before(Consumer<String> fault) {
        before = fault;
    }

    /** From now on each call fails. */
    public void failWith(Supplier<StoreException> error) {
        before(_ -> {
            throw error.get();
        });
    }

    /** From now on the calls of that name fail. */
    public void failWith(String name, Supplier<StoreException> error) {
        before(call -> {
            if (call.equals(name)) {
                throw error.get();
            }
        });
    }

    /** Called with the name of each call after it took effect; may throw. */
    public synchronized void after(Consumer<String> fault) {
        after = fault;
    }

    public synchronized long count(String call) {
        return calls.stream().filter(call::equals).count();
    }

    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    public synchronized void existing(String bucket) {
        buckets.put(bucket, new Bucket(new OwnershipTags.Untagged()));
    }

    public synchronized void fill(String bucket, long objects) {
        find(bucket).objects = objects;
    }

    public synchronized Set<String> names() {
        return Set.copyOf(buckets.keySet());
    }

    public synchronized boolean has(String bucket) {
        return buckets.containsKey(bucket);
    }

    /** Empty, an owner, {@code released:…} or {@code adopted:…}. */
    public synchronized String tag(String bucket) {
        return switch (find(bucket).tags) {
            case OwnershipTags.Owned owned -> owned.owner().toString();
            case OwnershipTags.Released released -> "released:" + released.owner();
            case OwnershipTags.Adopted adopted -> "adopted:" + adopted.owner();
            case OwnershipTags.Untagged _, OwnershipTags.Unreadable _ -> "";
        };
    }

    /** The tags that {@link #tag} shows so; without tags, if the text names no owner. */
    private static OwnershipTags tags(String text, ClaimIdentity claim, Reclaim reclaim) {
        Optional<BucketOwner> owner = BucketOwner.parse(text.substring(text.indexOf(':') + 1));
        if (owner.isEmpty()) {
            return new OwnershipTags.Untagged();
        }
        return text.startsWith("released:")
                ? new OwnershipTags.Released(owner.get(), claim)
                : new OwnershipTags.Owned(owner.get(), claim, reclaim);
    }

    public synchronized long objects(String bucket) {
        return find(bucket).objects;
    }

    public synchronized BucketOptions options(String bucket) {
        return find(bucket).options;
    }

    /** Whether others than its principals have access to the bucket. */
    public synchronized boolean isOpen(String bucket) {
        return find(bucket).isOpen();
    }

    /** As a request does that opens the bucket and lands late. */
    public synchronized void open(String bucket) {
        find(bucket).options = BucketOptions.of(BucketOption.AnonymousAccess.READ_WRITE);
    }

    /** What was last granted or set. */
    public synchronized AccessMode access(String bucket) {
        return find(bucket).access;
    }

    public Quota quota(String bucket) {
        return options(bucket).find(Quota.class).orElseThrow();
    }

    public synchronized void drop(String bucket) {
        buckets.remove(bucket);
    }

    /** Removes a capability. */
    public MemoryStore without(Capability capability) {
        lacking.add(capability);
        return this;
    }

    public synchronized Parameters storeOptions(String bucket) {
        return find(bucket).storeOptions;
    }

    @Override
    public ParameterSchema claimOptions() {
        return ParameterSchema.of(
                Parameter.optional("tier", "The tier of the bucket.").checkedBy(text -> {
                    if (!text.equals("gold")) {
                        throw new Invalid("must be gold");
                    }
                }),
                Parameter.optional("zone", "The zone of the bucket.").withDefault("any"));
    }

    /** The claims of all grants. */
    public synchronized List<ClaimIdentity> granted() {
        return List.copyOf(granted);
    }

    public synchronized int principals() {
        return principals.size();
    }

    public synchronized int keys() {
        return principals.values().stream().mapToInt(it -> it.keys.size()).sum();
    }

    /** Carries out a request for a key that the store received long ago: nobody waits for the response. */
    public synchronized void createLateKey() {
        principals.values().iterator().next().keys.put("KEYLATE", "secret-late");
    }

    /** Deletes the keys of all principals. */
    public synchronized void deleteKeys() {
        principals.values().forEach(it -> it.keys.clear());
    }

    /** Whether these credentials open the bucket. */
    public synchronized boolean opens(String id, String secret, String bucket) {
        return principals.values().stream()
                .anyMatch(it -> !it.suspended && it.bucket.equals(bucket) && secret.equals(it.keys.get(id)));
    }

    /** Whether the credentials in this Secret open the bucket. */
    public boolean opens(Secret secret, String bucket) {
        Map<String, String> keys = TestCluster.decoded(secret);
        return opens(
                keys.getOrDefault("AWS_ACCESS_KEY_ID", ""), keys.getOrDefault("AWS_SECRET_ACCESS_KEY", ""), bucket);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(lacking);
    }

    @Override
    public boolean offersTls() {
        return false;
    }

    @Override
    public synchronized ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        begin(call, "provision");
        String name = request.bucket().text();
        OwnershipTags own = new OwnershipTags.Owned(request.owner(), request.claim(), request.reclaim());
        unlessLate(() -> {
            buckets.putIfAbsent(name, new Bucket(own));
            createLateKey(request.bucket(), request.owner());
        });
        if (!buckets.containsKey(name) && !everCreated.add(name)) {
            throw new AssertionError("bucket " + name + " was created twice");
        }
        Bucket bucket = buckets.computeIfAbsent(name, _ -> new Bucket(own));
        bucket.change(OwnershipChange.provision(request, bucket.tags), principals);
        bucket.options = request.options();
        bucket.storeOptions = request.storeOptions();
        return end("provision", newCredentials(request.bucket(), request.owner(), request.publishedKeys()));
    }

    /** Changes nothing, so that it is not in the list of calls. */
    @Override
    public synchronized void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        before.accept("check");
    }

    @Override
    public synchronized ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        begin(call, "grant");
        granted.add(request.claim());
        bucket(request.bucket());
        unlessLate(() -> createLateKey(request.bucket(), request.owner()));
        return end("grant", newCredentials(request.bucket(), request.owner(), request.publishedKeys()));
    }

    @Override
    public synchronized Progress delete(StoreCall call, DeleteRequest request) {
        begin(call, "delete");
        unlessLate(() -> {
            buckets.remove(request.bucket().text());
            principals.remove(request.owner().toString());
        });
        Bucket bucket = buckets.get(request.bucket().text());
        if (bucket != null && bucket.tags.isReclaimableBy(request.owner(), Reclaim.DELETE)) {
            if (bucket.objects > 0 && request.onNotEmpty() == OnNotEmpty.BLOCK) {
                throw new NotEmpty("The bucket " + request.bucket() + " holds " + bucket.objects + " objects.");
            }
            if (bucket.objects > SLICE) {
                bucket.objects -= SLICE;
                return end("delete", new Progress.More(SLICE));
            }
            buckets.remove(request.bucket().text());
        }
        principals.remove(request.owner().toString());
        if (buckets.containsKey(request.bucket().text())) {
            throw new Taken("The bucket " + request.bucket() + " exists and is not owned by this claim.");
        }
        return end("delete", new Progress.Done());
    }

    @Override
    public synchronized void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        begin(call, "revoke");
        if (unproven.contains(owner.toString())) {
            Objects.requireNonNull(principals.get(owner.toString()))
                    .keys
                    .keySet()
                    .removeAll(keys);
            throw UnprovenPrincipal.notDeleted("user " + owner.principal(), keys);
        }
        principals.remove(owner.toString());
        end("revoke", true);
    }

    @Override
    public synchronized void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        begin(call, "retire");
        Principal principal = principals.get(owner.toString());
        if (principal == null) {
            throw new NotFound("There is no principal of " + owner + ".");
        }
        principal.keys.keySet().retainAll(keptKeys);
        end("retire", true);
    }

    @Override
    public synchronized Progress erase(StoreCall call, BucketName name, BucketOwner owner) {
        begin(call, "erase");
        Bucket bucket = bucket(name);
        OwnershipConflict.requireReclaimable(name, bucket.tags, owner, Reclaim.ERASE);
        if (bucket.objects > SLICE) {
            bucket.objects -= SLICE;
            return end("erase", new Progress.More(SLICE));
        }
        bucket.objects = 0;
        return end("erase", new Progress.Done());
    }

    @Override
    public synchronized void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        begin(call, "suspend");
        if (unproven.contains(owner.toString())) {
            throw new Taken("The user " + owner.principal() + " exists and is not owned by this claim.");
        }
        Principal principal = principals.get(owner.toString());
        if (principal != null) {
            principal.suspended = true;
        }
        end("suspend", true);
    }

    @Override
    public synchronized void update(StoreCall call, UpdateRequest request) {
        begin(call, "update");
        if (request.changesBucket()) {
            OwnershipConflict.requireOwned(request.bucket(), bucket(request.bucket()).tags, request.owner());
        }
        unlessLate(() -> apply(request, bucket(request.bucket())));
        apply(request, bucket(request.bucket()));
        end("update", request.access().mode() != AccessMode.NONE);
    }

    private static void apply(UpdateRequest request, Bucket bucket) {
        if (request.access().mode() != AccessMode.NONE) {
            bucket.access = request.access().mode();
        }
        bucket.options = BucketOptions.of(Stream.concat(
                        bucket.options.all().stream()
                                .filter(option -> !request.removed().kinds().contains(option.needs()))
                                .filter(option -> !request.options().needs().contains(option.needs())),
                        request.options().all().stream())
                .toArray(BucketOption[]::new));
    }

    @Override
    public synchronized void release(StoreCall call, BucketName name, BucketOwner owner) {
        begin(call, "release");
        unlessLate(() -> {});
        Bucket bucket = buckets.get(name.text());
        if (bucket != null) {
            bucket.change(OwnershipChange.release(name, owner, bucket.tags), principals);
        }
        end("release", true);
    }

    @Override
    public synchronized void adopt(StoreCall call, AdoptRequest request) {
        begin(call, "adopt");
        Bucket bucket = bucket(request.bucket());
        OwnershipChange change = OwnershipChange.adopt(request, bucket.tags);
        if (bucket.isOpen() && request.onOpen() == OnOpenBucket.REFUSE) {
            throw new Invalid("The bucket " + request.bucket() + " cannot be adopted, because others have access.");
        }
        if (bucket.isOpen()) {
            bucket.options = BucketOptions.unmanaged();
        }
        bucket.change(change, principals);
        end("adopt", true);
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized BucketPage listBuckets(StoreCall call, String from) {
        begin(call, "list");
        return new BucketPage(
                buckets.entrySet().stream()
                        .map(entry -> listed(entry.getKey(), entry.getValue()))
                        .toList(),
                Optional.empty());
    }

    @Override
    public synchronized Optional<ListedBucket> findBucket(StoreCall call, BucketName name) {
        begin(call, "find");
        return end("find", Optional.ofNullable(buckets.get(name.text())).map(bucket -> listed(name.text(), bucket)));
    }

    @Override
    public synchronized Set<MissingPart> verify(StoreCall call, BucketName name, BucketOwner owner, Set<String> keys) {
        begin(call, "verify");
        Bucket bucket = buckets.get(name.text());
        return end(
                "verify",
                bucket == null ? Set.of(MissingPart.BUCKET) : MissingPart.of(bucket.tags, owner, missing(owner, keys)));
    }

    private Set<MissingPart> missing(BucketOwner owner, Set<String> keys) {
        Principal principal = principals.get(owner.toString());
        if (principal == null) {
            return Set.of(MissingPart.PRINCIPAL);
        }
        return principal.keys.keySet().containsAll(keys) ? Set.of() : Set.of(MissingPart.KEY);
    }

    /** As if somebody had deleted the bucket, and another owner had created one of its name. */
    public synchronized void replace(String bucket, String owner) {
        buckets.put(bucket, new Bucket(tags(owner, ClaimIdentity.NONE, Reclaim.UNKNOWN)));
    }

    /** As if a later claim of the same namespace and name had got the bucket. */
    public synchronized void retag(String bucket, String owner) {
        Bucket found = find(bucket);
        Reclaim reclaim = found.tags instanceof OwnershipTags.Owned owned ? owned.reclaim() : Reclaim.UNKNOWN;
        found.tags = tags(owner, found.tags.claimOrNone(), reclaim);
    }

    /** As an administrator does by hand. */
    public synchronized void deletePrincipals() {
        principals.clear();
    }

    private static ListedBucket listed(String name, Bucket bucket) {
        return new ListedBucket(name, bucket.tags, Optional.empty());
    }

    private ProvisionedBucket newCredentials(BucketName bucket, BucketOwner owner, Set<String> published) {
        Principal principal = principals.computeIfAbsent(owner.toString(), it -> new Principal(bucket.text()));
        principal.keys.keySet().retainAll(published);
        String id = "KEY" + UUID.randomUUID().toString().substring(0, 8);
        String secret = "secret-" + UUID.randomUUID();
        principal.keys.put(id, secret);
        return new ProvisionedBucket(
                connection(bucket, address), new Credentials.AccessKey(id, SecretValue.of(secret)).credentials());
    }

    /**
     * How applications connect to a bucket.
     *
     * @param endpoint the address of the store; empty for the one that this store returns with credentials
     */
    public static Connection connection(BucketName bucket, String endpoint) {
        Endpoint address =
                endpoint.startsWith("http") ? Endpoint.parse(endpoint) : new Endpoint(false, "memory.test", 9000);
        return Connection.s3(bucket, address, "here");
    }

    private Bucket bucket(BucketName name) {
        Bucket bucket = buckets.get(name.text());
        if (bucket == null) {
            throw new NotFound("There is no bucket " + name + ".");
        }
        return bucket;
    }

    private Bucket find(String name) {
        return bucket(new BucketName(name));
    }

    private void unlessLate(Runnable effect) {
        if (late.isPresent()) {
            Consumer<Runnable> schedule = late.get();
            late = Optional.empty();
            schedule.accept(() -> {
                synchronized (this) {
                    effect.run();
                }
            });
            throw new Unavailable("The store did not respond in time.");
        }
    }

    private void createLateKey(BucketName bucket, BucketOwner owner) {
        principals
                .computeIfAbsent(owner.toString(), it -> new Principal(bucket.text()))
                .keys
                .put("KEYLATE", "secret-late");
    }

    private void begin(StoreCall call, String name) {
        calls.add(name);
        before.accept(name);
        call.check();
    }

    private <R> R end(String call, R result) {
        after.accept(call);
        return result;
    }

    @Override
    public synchronized Usage usage(StoreCall call, BucketName bucket) {
        long objects = objects(bucket.text());
        return new Usage(objects * 1000, objects, true);
    }
}
