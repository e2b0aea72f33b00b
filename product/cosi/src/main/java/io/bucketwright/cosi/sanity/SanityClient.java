package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.sanity.RpcResult.Refused;
import io.bucketwright.cosi.sanity.SanityDialect.CreatedTestBucket;
import io.bucketwright.cosi.sanity.SanityDialect.DriverIdentity;
import io.bucketwright.cosi.sanity.SanityDialect.GrantAnswer;
import io.bucketwright.cosi.sanity.SanityDialect.NoContent;
import io.bucketwright.cosi.sanity.SanityDialect.RevokeAnswer;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.CosiError.Meaning;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver as a check calls it: new names and valid requests, as a sidecar sends them. A check changes what it wants to
 * see rejected. Everything that the calls may have created is deleted at the end.
 */
final class SanityClient {

    private static final Logger log = LoggerFactory.getLogger(SanityClient.class);

    private static final int CONCURRENT_CALLS = 8;
    private static final int AZURE_ACCOUNTS = 5;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final SanityDialect driver;
    private final HttpClient http;
    private final SanityOptions options;
    private final Duration propagation;
    private final DataProtocol protocol;
    private final Map<String, String> secrets;
    private final Set<RevokeBucketAccessRequest> grants = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Set<DeleteBucketRequest> buckets = Collections.synchronizedSet(new LinkedHashSet<>());
    private final AtomicInteger count = new AtomicInteger();
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    SanityClient(
            SanityDialect driver, HttpClient http, SanityOptions options, Duration propagation, DataProtocol protocol) {
        this.driver = driver;
        this.http = http;
        this.options = options;
        this.propagation = propagation;
        this.protocol = protocol;
        this.secrets = options.secrets().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, secret -> secret.getValue().reveal()));
    }

    HttpClient http() {
        return http;
    }

    /** What the dialect and the options provide for checks. */
    Set<CheckNeed> provides() {
        Set<CheckNeed> provided = EnumSet.copyOf(driver.provides());
        if (options.testCredentials()) {
            provided.add(CheckNeed.STORE_ACCESS);
        }
        if (!secrets.isEmpty()) {
            provided.add(CheckNeed.ADMINISTRATOR_SECRET);
        }
        return provided;
    }

    DataProtocol protocol() {
        return protocol;
    }

    /** A protocol that the driver does not support. */
    DataProtocol otherProtocol() {
        return protocol == DataProtocol.GCS ? DataProtocol.AZURE_BLOB : DataProtocol.GCS;
    }

    /** The secrets of each request, in clear text. */
    Map<String, String> secrets() {
        return secrets;
    }

    /** A bucket that does not exist. */
    TestBucket newBucket() {
        Map<String, String> parameters = new HashMap<>(options.parameters());
        parameters.put(ParameterKeys.CLUSTER, "cosi-sanity-" + run);
        parameters.put(ParameterKeys.OWNER_UID, UUID.randomUUID().toString());
        return new TestBucket("cosi-sanity-" + run + "-" + count.incrementAndGet(), parameters);
    }

    TestBucket newCreatedBucket() {
        TestBucket bucket = newBucket();
        created(bucket);
        return bucket;
    }

    String newAccount() {
        return "ba-" + UUID.randomUUID();
    }

    /** A new account with access to a new bucket. */
    TestAccess newGrantedAccess() {
        TestBucket bucket = newCreatedBucket();
        String account = newAccount();
        return new TestAccess(bucket, account, granted(bucket, account));
    }

    /** Waits until the driver answers, at most for the timeout of one call. */
    void awaitDriver() {
        try {
            DriverIdentity _ = driver.info(true);
        } catch (StatusRuntimeException e) {
            // The next check reports it.
            log.debug("The driver does not answer", e);
        }
    }

    DriverIdentity info() {
        return driver.info(false);
    }

    RpcResult<CreatedTestBucket> create(TestBucket bucket) {
        return create(bucket, _ -> {});
    }

    RpcResult<CreatedTestBucket> create(TestBucket bucket, Consumer<CreateBucketRequest.Builder> change) {
        CreateBucketRequest.Builder request = CreateBucketRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol)
                .putAllDriverParameters(bucket.parameters())
                .putAllSecrets(secrets);
        change.accept(request);
        RpcResult<CreatedTestBucket> result = driver.create(request.build());
        if (mayHaveTakenEffect(result)) {
            buckets.add(deletion(bucket).build());
        }
        return result;
    }

    /** Creates the bucket, or the check has failed. */
    CreatedTestBucket created(TestBucket bucket) {
        return create(bucket).require("Creating the bucket " + bucket.name());
    }

    RpcResult<NoContent> delete(TestBucket bucket) {
        return delete(deletion(bucket).build());
    }

    RpcResult<NoContent> delete(TestBucket bucket, Consumer<DeleteBucketRequest.Builder> change) {
        DeleteBucketRequest.Builder request = deletion(bucket);
        change.accept(request);
        return delete(request.build());
    }

    RpcResult<NoContent> deleteCompletely(TestBucket bucket) {
        return deleteCompletely(deletion(bucket).build());
    }

    /** Deletes, and repeats the call while the driver reports that it is still deleting. */
    private RpcResult<NoContent> deleteCompletely(DeleteBucketRequest request) {
        return poll(
                () -> delete(request),
                result -> !(result instanceof Refused<NoContent> refused)
                        || refused.error() != CosiError.DELETE_DELETE_INPROGRESS,
                options.timeout());
    }

    private RpcResult<NoContent> delete(DeleteBucketRequest request) {
        return driver.delete(request);
    }

    private DeleteBucketRequest.Builder deletion(TestBucket bucket) {
        return DeleteBucketRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol)
                .putAllDriverParameters(bucket.parameters())
                .putAllSecrets(secrets);
    }

    RpcResult<GrantAnswer> grant(TestBucket bucket, String account) {
        return grant(bucket, account, _ -> {});
    }

    RpcResult<GrantAnswer> grant(TestBucket bucket, String account, Consumer<GrantBucketAccessRequest.Builder> change) {
        GrantBucketAccessRequest.Builder request = GrantBucketAccessRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol)
                .putAllPermissions(options.accessParameters())
                .putPermissions(ParameterKeys.ACCOUNT, account)
                .setProviderContext(context(bucket))
                .putAllSecrets(secrets);
        change.accept(request);
        RpcResult<GrantAnswer> result = driver.grant(request.build());
        if (mayHaveTakenEffect(result)) {
            grants.add(revocation(bucket, request.getPermissionsMap()).build());
        }
        return result;
    }

    /** Grants access, or the check has failed. */
    GrantedCredentials granted(TestBucket bucket, String account) {
        return grant(bucket, account)
                .require("Granting access to " + bucket.name())
                .credentials();
    }

    RpcResult<RevokeAnswer> revoke(TestAccess access) {
        return revoke(access.bucket(), access.account(), _ -> {});
    }

    RpcResult<RevokeAnswer> revoke(
            TestBucket bucket, String account, Consumer<RevokeBucketAccessRequest.Builder> change) {
        RevokeBucketAccessRequest.Builder request =
                revocation(bucket, options.accessParameters()).putPermissions(ParameterKeys.ACCOUNT, account);
        change.accept(request);
        return revoke(request.build());
    }

    private RpcResult<RevokeAnswer> revoke(RevokeBucketAccessRequest request) {
        return driver.revoke(request);
    }

    private RevokeBucketAccessRequest.Builder revocation(TestBucket bucket, Map<String, String> permissions) {
        return RevokeBucketAccessRequest.newBuilder()
                .setBucketName(bucket.name())
                .setRequestProtocol(protocol)
                .putAllPermissions(permissions)
                .setProviderContext(context(bucket))
                .putAllSecrets(secrets);
    }

    /** Several calls at the same time, and all their results. */
    <R> List<RpcResult<R>> concurrently(Callable<RpcResult<R>> call) {
        return concurrently(CONCURRENT_CALLS, call);
    }

    /** Calls for several accounts of one bucket at the same time, and all their results. */
    <R> List<RpcResult<R>> concurrentAccounts(DataProtocol ofStore, Callable<RpcResult<R>> call) {
        // A container of Azure has at most five stored access policies.
        return concurrently(ofStore == DataProtocol.AZURE_BLOB ? AZURE_ACCOUNTS : CONCURRENT_CALLS, call);
    }

    private static <R> List<RpcResult<R>> concurrently(int calls, Callable<RpcResult<R>> call) {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<RpcResult<R>> results = new ArrayList<>();
            for (Future<RpcResult<R>> future : callers.invokeAll(Collections.nCopies(calls, call))) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A call failed without a gRPC status.", e.getCause());
        } catch (InterruptedException e) {
            throw StoreTestClient.interrupted(e);
        }
    }

    /** Repeats the call until permissions should be in effect, and returns the last result. */
    <R> R pollStore(Supplier<R> call, Predicate<R> accepted) {
        return poll(call, accepted, propagation);
    }

    private static <R> R poll(Supplier<R> call, Predicate<R> accepted, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        R result = call.get();
        while (!accepted.test(result) && System.nanoTime() < end) {
            try {
                Thread.sleep(POLL_INTERVAL);
            } catch (InterruptedException e) {
                throw StoreTestClient.interrupted(e);
            }
            result = call.get();
        }
        return result;
    }

    /** Deletes what the calls may have created, and returns what could not be deleted. */
    List<String> cleanUp() {
        List<String> left = new ArrayList<>();
        grants.forEach(grant -> note(left, "access to " + grant.getBucketName(), revoke(grant)));
        List<DeleteBucketRequest> refused = buckets.stream()
                .filter(bucket -> !isDeleted(deleteCompletely(bucket)))
                .toList();
        // Another owner may have created a bucket again under the same name: its own request has deleted it by now.
        refused.forEach(bucket -> note(left, "the bucket " + bucket.getBucketName(), deleteCompletely(bucket)));
        return left;
    }

    private static boolean isDeleted(RpcResult<?> result) {
        return !(result instanceof Refused<?> refused) || refused.error().meaning() == Meaning.DONE;
    }

    private static void note(List<String> left, String what, RpcResult<?> result) {
        if (result instanceof Refused<?> refused && !isDeleted(refused)) {
            left.add(what + ": " + refused.code() + " " + refused.message());
        }
    }

    private static boolean mayHaveTakenEffect(RpcResult<?> result) {
        return !(result instanceof Refused<?> refused) || refused.error().meaning() == Meaning.TRY_AGAIN;
    }

    private static ProviderContext context(TestBucket bucket) {
        return ProviderContext.newBuilder()
                .setGenericContext(GenericContext.newBuilder().putAllBucketData(bucket.parameters()))
                .build();
    }
}
