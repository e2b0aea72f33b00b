package io.bucketwright.store.s3;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.RotateRequest;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Buckets and identities, put together so that a crash after any request leaves only what the next call can go on from. */
final class S3BucketStore implements BucketStore {

    private final S3Parameters parameters;
    private final Buckets buckets;
    private final Contents contents;
    private final Settings settings;
    private final Identities identities;
    private final Claiming claiming;

    S3BucketStore(
            S3Parameters parameters, Buckets buckets, Contents contents, Settings settings, Identities identities) {
        this.parameters = parameters;
        this.buckets = buckets;
        this.contents = contents;
        this.settings = settings;
        this.identities = identities;
        this.claiming = new Claiming(buckets, contents);
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.complementOf(EnumSet.of(Capability.QUOTA));
        capabilities.removeAll(parameters.lacking());
        return Set.copyOf(capabilities);
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        request.options().requireAll(capabilities());
        claiming.claim(call, request);
        apply(call, request.bucket(), request.options());
        return handOut(call, request.bucket(), request.owner(), request.access(), request.publishedKeys());
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        requireMark(call, request.bucket());
        return handOut(call, request.bucket(), request.owner(), request.access(), request.publishedKeys());
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        BucketName bucket = request.bucket();
        Optional<Mark> mark = buckets.mark(call, bucket);
        boolean ours = mark.isPresent() && mark.get().equals(new Mark.Owned(request.owner()));
        if (ours && request.onNotEmpty() == OnNotEmpty.BLOCK && !contents.isEmpty(call, bucket)) {
            throw new NotEmpty("The bucket " + bucket + " is not empty. Empty it, or let its class purge it.");
        }
        // Before the bucket: nobody writes into a bucket that is being emptied, nor into the next one of that name.
        identities.remove(call, request.owner());
        if (mark.isEmpty()) {
            return new Progress.Done();
        }
        if (!ours) {
            throw Claiming.taken(bucket, mark.get());
        }
        if (request.onNotEmpty() == OnNotEmpty.PURGE && contents.wipe(call, bucket) instanceof Progress.More more) {
            return more;
        }
        buckets.delete(call, bucket);
        return new Progress.Done();
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner) {
        identities.remove(call, owner);
    }

    @Override
    public Credentials rotate(StoreCall call, RotateRequest request) {
        return identities.addKey(call, request.owner(), request.publishedKeys());
    }

    @Override
    public void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        identities.keepKeys(call, owner, keptKeys);
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        requireOwned(call, bucket, owner);
        return contents.wipe(call, bucket);
    }

    @Override
    public void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        identities.enable(call, owner, false);
    }

    @Override
    public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        identities.enable(call, owner, true);
    }

    @Override
    public void update(StoreCall call, UpdateRequest request) {
        request.options().requireAll(capabilities());
        if (!request.options().isEmpty()) {
            requireOwned(call, request.bucket(), request.owner());
            apply(call, request.bucket(), request.options());
        }
        if (request.access().mode() != AccessMode.NONE) {
            identities.limit(call, request.owner(), request.bucket(), request.access());
        }
    }

    @Override
    public Usage usage(StoreCall call, BucketName bucket) {
        return buckets.usage(call, bucket);
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        Optional<Mark> mark = buckets.mark(call, bucket);
        if (mark.isEmpty() || mark.get().equals(new Mark.Released(owner))) {
            return;
        }
        if (!Set.of(new Mark.Owned(owner), new Mark.Adopted(owner)).contains(mark.get())) {
            throw Claiming.taken(bucket, mark.get());
        }
        buckets.mark(call, bucket, new Mark.Released(owner));
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        Mark mark = requireMark(call, request.bucket());
        Mark wanted = new Mark.Adopted(request.owner());
        boolean free = switch (mark) {
            case Mark.Unmarked _ -> request.untagged();
            case Mark.Released _ -> true;
            case Mark.Adopted _ -> mark.equals(wanted);
            case Mark.Owned _, Mark.Unreadable _ -> false;
        };
        if (!free) {
            throw Claiming.taken(request.bucket(), mark);
        }
        if (!mark.equals(wanted)) {
            buckets.mark(call, request.bucket(), wanted);
        }
    }

    @Override
    public void close() {
        buckets.close();
        identities.close();
    }

    private ProvisionedBucket handOut(StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        Connection connection =
                new Connection.S3(bucket, parameters.publicEndpoint(), parameters.region(), "", parameters.pathStyle());
        if (access.mode() == AccessMode.NONE) {
            return new ProvisionedBucket(connection, new Credentials.None());
        }
        identities.ensure(call, owner, bucket, access);
        Credentials credentials = identities.addKey(call, owner, publishedKeys);
        return new ProvisionedBucket(
                connection,
                credentials,
                Map.of(),
                Map.of(),
                Map.of("principal", owner.principal().text()));
    }

    private void apply(StoreCall call, BucketName bucket, BucketOptions options) {
        for (BucketOption option : options.all()) {
            settings.apply(call, bucket, option);
        }
    }

    private void requireOwned(StoreCall call, BucketName bucket, BucketOwner owner) {
        Mark mark = requireMark(call, bucket);
        if (!mark.equals(new Mark.Owned(owner))) {
            throw Claiming.taken(bucket, mark);
        }
    }

    private Mark requireMark(StoreCall call, BucketName bucket) {
        return buckets.mark(call, bucket).orElseThrow(() -> new NotFound("There is no bucket " + bucket + "."));
    }
}
