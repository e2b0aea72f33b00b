package io.bucketwright.example;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Buckets as directories. Implements only the four methods that every store must have. */
final class DirectoryStore implements BucketStore {

    private static final int SLICE = 1_000;

    private final Layout layout;
    private final Keys keys;
    private final Endpoint endpoint;

    DirectoryStore(Path root, Endpoint endpoint) {
        this.layout = new Layout(root);
        this.keys = new Keys(layout);
        this.endpoint = endpoint;
    }

    /** Claims of a class with {@code allowedOptions: store:note} can set it. */
    @Override
    public ParameterSchema claimOptions() {
        return ParameterSchema.of(Parameter.optional(Layout.NOTE, "A line for the administrator, beside the objects."));
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        if (!request.options().isEmpty()) {
            throw new Unsupported("Directories have no options.");
        }
        return attempt(call, () -> {
            Keys.check(request.access(), request.publishedKeys());
            createBucket(request);
            if (!isOwned(request.bucket(), request.owner())) {
                throw taken(request.bucket());
            }
            return newCredentials(request.bucket(), request.owner(), request.access(), request.publishedKeys());
        });
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        return attempt(call, () -> {
            Keys.check(request.access(), request.publishedKeys());
            if (!Files.exists(layout.objects(request.bucket()))) {
                throw new NotFound("Bucket " + request.bucket() + " does not exist.");
            }
            return newCredentials(request.bucket(), request.owner(), request.access(), request.publishedKeys());
        });
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        return attempt(call, () -> {
            Path objects = layout.objects(request.bucket());
            boolean exists = Files.exists(objects);
            boolean owned = isOwned(request.bucket(), request.owner());
            boolean purge = request.onNotEmpty() == OnNotEmpty.PURGE;
            if (exists && owned && !purge && !Layout.some(objects, 1).isEmpty()) {
                throw new NotEmpty("The bucket " + request.bucket() + " holds objects.");
            }
            keys.remove(request.owner(), Set.of());
            if (exists && !owned) {
                throw taken(request.bucket());
            }
            List<Path> slice = exists && purge ? Layout.some(objects, SLICE) : List.of();
            for (Path object : slice) {
                Files.deleteIfExists(object);
            }
            if (slice.size() == SLICE) {
                return new Progress.More(SLICE);
            }
            // In this order: a directory without objects/ is not a bucket, so a crash leaves nothing that blocks a new
            // one.
            Files.deleteIfExists(layout.note(request.bucket()));
            Files.deleteIfExists(objects);
            Files.deleteIfExists(layout.owner(request.bucket()));
            Files.deleteIfExists(layout.bucket(request.bucket()));
            return new Progress.Done();
        });
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> published) {
        attempt(call, () -> {
            keys.remove(owner, Set.of());
            return true;
        });
    }

    /** Tagged before it is visible: one rename gives the directory its name, with the ownership tag in it. */
    private void createBucket(ProvisionRequest request) throws IOException {
        BucketName bucket = request.bucket();
        BucketOwner owner = request.owner();
        if (Files.exists(layout.objects(bucket))) {
            return;
        }
        Path fresh = layout.fresh(owner);
        Files.createDirectories(fresh.resolve(Layout.OBJECTS));
        Files.writeString(fresh.resolve(Layout.OWNER), owner.toString());
        Files.writeString(
                fresh.resolve(Layout.NOTE),
                request.storeOptions().find(Layout.NOTE).orElse(""));
        try {
            Files.createDirectories(layout.bucket(bucket).getParent());
            Files.move(fresh, layout.bucket(bucket), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException lost) {
            Files.deleteIfExists(fresh.resolve(Layout.OBJECTS));
            Files.deleteIfExists(fresh.resolve(Layout.OWNER));
            Files.deleteIfExists(fresh.resolve(Layout.NOTE));
            Files.deleteIfExists(fresh);
            if (!Files.exists(layout.objects(bucket))) {
                throw lost;
            }
        }
    }

    private boolean isOwned(BucketName bucket, BucketOwner owner) throws IOException {
        Path tag = layout.owner(bucket);
        return Files.exists(tag) && Files.readString(tag).equals(owner.toString());
    }

    private ProvisionedBucket newCredentials(BucketName bucket, BucketOwner owner, Access access, Set<String> published)
            throws IOException {
        Connection connection = new Connection(bucket, endpoint, Map.of());
        if (access.mode() == AccessMode.NONE) {
            return new ProvisionedBucket(connection, Credentials.NONE);
        }
        keys.remove(owner, published);
        return new ProvisionedBucket(connection, keys.create(owner, bucket, access.mode()));
    }

    private static Taken taken(BucketName bucket) {
        return new Taken("The bucket " + bucket + " exists and is not owned by this claim.");
    }

    @FunctionalInterface
    private interface Act<T> {
        T run() throws IOException;
    }

    /** Rejects a call whose time is over, and turns errors of the file system into messages for the claim. */
    private <T> T attempt(StoreCall call, Act<T> act) {
        call.check();
        if (!Files.isDirectory(layout.root())) {
            throw new Unavailable("The directory of all buckets is not mounted.");
        }
        try {
            return act.run();
        } catch (DirectoryNotEmptyException e) {
            throw new NotEmpty("An object was written to the bucket while it was deleted.");
        } catch (IOException | UncheckedIOException e) {
            throw new Unavailable("The file system failed.", e);
        } catch (IllegalArgumentException e) {
            throw new Invalid("A file of this store cannot be read.", e);
        }
    }
}
