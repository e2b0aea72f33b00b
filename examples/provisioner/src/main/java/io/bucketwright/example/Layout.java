package io.bucketwright.example;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The paths below the root: {@code buckets/NAME/objects}, {@code buckets/NAME/owner}, {@code keys/ID}. */
record Layout(Path root) {

    static final String OBJECTS = "objects";
    static final String OWNER = "owner";
    static final String NOTE = "note";

    Path bucket(BucketName name) {
        return root.resolve("buckets").resolve(name.text());
    }

    Path objects(BucketName name) {
        return bucket(name).resolve(OBJECTS);
    }

    /** The ownership tag of a bucket. */
    Path owner(BucketName name) {
        return bucket(name).resolve(OWNER);
    }

    /** What the claim set with the option note. */
    Path note(BucketName name) {
        return bucket(name).resolve(NOTE);
    }

    /** One flat file, so that no key is a path outside its bucket. */
    Path object(BucketName bucket, String key) {
        return objects(bucket).resolve("=" + URLEncoder.encode(key, StandardCharsets.UTF_8));
    }

    /** A bucket that is being created. */
    Path fresh(BucketOwner owner) {
        return root.resolve("fresh").resolve(owner.uid() + "." + UUID.randomUUID());
    }

    Path keys() {
        return root.resolve("keys");
    }

    Path key(String id) {
        return keys().resolve(UUID.fromString(id).toString());
    }

    static List<Path> some(Path directory, int most) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.limit(most).toList();
        }
    }
}
