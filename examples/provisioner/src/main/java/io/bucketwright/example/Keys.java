package io.bucketwright.example;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unsupported;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;

/** All keys of the storage system. Each gives access to one bucket. */
record Keys(Layout layout) {

    /** Rejects access that this store cannot grant, before anything is created. */
    static void check(Access access, Set<String> published) {
        boolean plain = access.prefix().isEmpty()
                && access.allow().isEmpty()
                && access.deny().isEmpty();
        if (!plain || access.mode() == AccessMode.WRITE_ONLY) {
            throw new Unsupported(
                    "This store grants access to a whole bucket, to read or to read and write, and not for single actions.");
        }
        if (published.size() > 1) {
            throw new Invalid("two keys are published already");
        }
    }

    Credentials create(BucketOwner owner, BucketName bucket, AccessMode mode) throws IOException {
        String id = UUID.randomUUID().toString();
        SecretValue secret = Key.newSecret();
        Files.createDirectories(layout.keys());
        Files.writeString(layout.key(id), new Key(owner.toString(), bucket, mode, Key.digest(secret.reveal())).text());
        return new Credentials.AccessKey(id, secret).credentials();
    }

    /** Deletes the keys of an owner, except those to keep. */
    void remove(BucketOwner owner, Set<String> kept) throws IOException {
        for (Path file : Layout.some(layout.keys(), Integer.MAX_VALUE)) {
            boolean owned = Key.read(file)
                    .filter(key -> key.owner().equals(owner.toString()))
                    .isPresent();
            if (owned && !kept.contains(file.getFileName().toString())) {
                Files.deleteIfExists(file);
            }
        }
    }
}
