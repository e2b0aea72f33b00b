package io.bucketwright.store.s3.identity;

import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.ListBucketsResponse;

/**
 * The administrator's credentials act on every bucket.
 *
 * @param measured the last measurement of the store itself; empty if there is none
 */
public record AdministratorClient(S3Client s3, BiFunction<StoreCall, BucketName, Optional<Usage>> measured)
        implements BucketClients {

    private static final int PAGE = 100;
    private static final String TOKEN = "token:";
    private static final String NAME = "after:";

    /** For a store that measures nothing. */
    public AdministratorClient(S3Client s3) {
        this(s3, (_, _) -> Optional.empty());
    }

    @Override
    public S3Client find(StoreCall call, BucketName bucket) {
        return s3;
    }

    @Override
    public S3Client create(StoreCall call, ProvisionRequest request) {
        return s3;
    }

    @Override
    public boolean lists() {
        return true;
    }

    /** Older stores list everything at once: then a part begins after the last name of the one before. */
    @Override
    public BucketNames list(StoreCall call, String from) {
        @Nullable String token = from.startsWith(TOKEN) ? from.substring(TOKEN.length()) : null;
        String after = from.startsWith(NAME) ? from.substring(NAME.length()) : "";
        String action = "list the buckets";
        ListBucketsResponse response = StoreRequest.send(
                call,
                action,
                () -> s3.listBuckets(request -> request.maxBuckets(PAGE).continuationToken(token)));
        List<Bucket> left = StoreRequest.list(action, response.hasBuckets(), response.buckets()).stream()
                .filter(bucket -> bucket.name().compareTo(after) > 0)
                .sorted(Comparator.comparing(Bucket::name))
                .toList();
        List<Bucket> page = left.subList(0, Math.min(PAGE, left.size()));
        @Nullable String next = response.continuationToken();
        return new BucketNames(
                page.stream()
                        .map(bucket -> new BucketNames.Named(bucket.name(), Optional.ofNullable(bucket.creationDate())))
                        .toList(),
                page.size() < left.size()
                        ? Optional.of(NAME + page.getLast().name())
                        : Optional.ofNullable(next)
                                .filter(text -> !text.isEmpty())
                                .map(text -> TOKEN + text));
    }

    @Override
    public Optional<Usage> measuredUsage(StoreCall call, BucketName bucket) {
        return measured.apply(call, bucket);
    }

    @Override
    public void deleted(StoreCall call, BucketName bucket, BucketOwner owner) {
        // Buckets have no accounts of their own.
    }

    @Override
    public void close() {
        s3.close();
    }
}
