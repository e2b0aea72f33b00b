package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.sanity.RpcResult.Done;
import io.bucketwright.cosi.sanity.RpcResult.Refused;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.sanity.SanityCheck.CheckSkipped;
import io.bucketwright.cosi.wire.ParameterKeys;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

/** What the credentials that a driver hands out open, and what they do not. Tried with S3 itself, if that is wanted. */
final class CredentialChecks {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final String OBJECT = "cosi-sanity.txt";
    private static final int FORBIDDEN = 403;

    private final HttpClient http;

    CredentialChecks(HttpClient http) {
        this.http = http;
    }

    List<SanityCheck> all() {
        return List.of(
                new SanityCheck(
                        "credentials-granted", "Granted credentials can put, get and delete objects", this::granted),
                new SanityCheck(
                        "credentials-one-bucket",
                        "Granted credentials give no access to another bucket",
                        this::oneBucket),
                new SanityCheck(
                        "credentials-repeated-grant",
                        "Credentials of a repeated grant work and older ones are removed",
                        this::repeated),
                new SanityCheck("credentials-revoked", "Revoked credentials give no access", this::revoked),
                new SanityCheck("credentials-read-only", "Credentials with accessMode ro cannot write", this::readOnly),
                new SanityCheck(
                        "credentials-private-bucket",
                        "A bucket without access mode rejects anonymous requests",
                        this::privately),
                new SanityCheck(
                        "credentials-public-bucket", "A bucket with mode RO allows anonymous reads", this::publicly),
                new SanityCheck(
                        "credentials-delete-nonempty-bucket",
                        "DeleteBucket deletes a bucket that contains objects",
                        this::deleteFull));
    }

    private void granted(SanityClient probe) {
        S3TestClient door = door(probe, probe.madeBucket());
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), CredentialChecks::isFine);
        expect(probe, "Getting it", () -> door.get(OBJECT), CredentialChecks::isFine);
        expect(probe, "Deleting it", () -> door.delete(OBJECT), CredentialChecks::isFine);
    }

    private void oneBucket(SanityClient probe) {
        S3TestClient door = door(probe, probe.madeBucket());
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), CredentialChecks::isFine);
        S3TestClient neighbour = door.at(probe.madeBucket().name());
        expect(
                probe,
                "Putting an object into another bucket",
                () -> neighbour.put(OBJECT, "hello"),
                CredentialChecks::isRefused);
    }

    private void repeated(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = account(probe);
        GrantedCredentials first = GrantChecks.grant(probe, bucket, account);
        GrantedCredentials second = GrantChecks.grant(probe, bucket, account);
        S3TestClient door = S3TestClient.of(http, second);
        expect(
                probe,
                "Putting an object with the later credentials",
                () -> door.put(OBJECT, "hello"),
                CredentialChecks::isFine);
        if (!first.sameAs(second)) {
            S3TestClient older = S3TestClient.of(http, first);
            expect(probe, "Getting it with the earlier ones", () -> older.get(OBJECT), CredentialChecks::isRefused);
        }
    }

    private void revoked(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = account(probe);
        S3TestClient door = S3TestClient.of(http, GrantChecks.grant(probe, bucket, account));
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), CredentialChecks::isFine);
        probe.revoke(probe.requests().revoke(bucket, account).build()).requireEnded("Revoking the access");
        expect(probe, "Getting it after that", () -> door.get(OBJECT), CredentialChecks::isRefused);
    }

    private void readOnly(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        S3TestClient writer = door(probe, bucket);
        expect(probe, "Putting an object", () -> writer.put(OBJECT, "hello"), CredentialChecks::isFine);
        RpcResult<GrantBucketAccessResponse> answer = probe.grant(probe.requests()
                .grant(bucket, probe.newAccount())
                .putPermissions(ParameterKeys.ACCESS_MODE, "ro")
                .build());
        if (!(answer instanceof Done<GrantBucketAccessResponse>(GrantBucketAccessResponse response))) {
            throw new CheckSkipped("the driver has no parameter " + ParameterKeys.ACCESS_MODE);
        }
        S3TestClient reader = S3TestClient.of(http, GrantedCredentials.of(response));
        expect(probe, "Getting it with accessMode ro", () -> reader.get(OBJECT), CredentialChecks::isFine);
        expect(probe, "Putting one with accessMode ro", () -> reader.put(OBJECT, "bye"), CredentialChecks::isRefused);
    }

    private void privately(SanityClient probe) {
        S3TestClient door = door(probe, probe.madeBucket());
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), CredentialChecks::isFine);
        expect(
                probe,
                "Getting it without credentials",
                () -> door.anonymously().get(OBJECT),
                CredentialChecks::isRefused);
    }

    private void publicly(SanityClient probe) {
        TestBucket bucket = probe.newBucket();
        RpcResult<CreateBucketResponse> answer = probe.create(
                probe.requests().create(bucket).setAccessMode(AccessMode.RO).build());
        if (answer instanceof Refused<CreateBucketResponse>) {
            throw new CheckSkipped("the driver has no anonymous access");
        }
        S3TestClient door = door(probe, bucket);
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), CredentialChecks::isFine);
        S3TestClient anybody = door.anonymously();
        expect(probe, "Getting it without credentials", () -> anybody.get(OBJECT), CredentialChecks::isFine);
        expect(probe, "Putting one without credentials", () -> anybody.put(OBJECT, "bye"), CredentialChecks::isRefused);
    }

    private void deleteFull(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        S3TestClient door = door(probe, bucket);
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), CredentialChecks::isFine);
        probe.deleteWholly(probe.requests().delete(bucket).build())
                .requireEnded("Deleting a bucket that holds something");
        expect(probe, "Getting the object after that", () -> door.get(OBJECT), status -> !isFine(status));
    }

    private S3TestClient door(SanityClient probe, TestBucket bucket) {
        return S3TestClient.of(http, GrantChecks.grant(probe, bucket, account(probe)));
    }

    private static String account(SanityClient probe) {
        if (!probe.options().use()) {
            throw new CheckSkipped("trying credentials out was not asked for");
        }
        if (probe.protocol() != DataProtocol.S3) {
            throw new CheckSkipped("only S3 can be tried out");
        }
        return probe.newAccount();
    }

    /** Rights spread slowly in some stores: what is expected may take a while. */
    private static void expect(SanityClient probe, String what, IntSupplier request, IntPredicate expected) {
        long end = System.nanoTime() + probe.options().patience().toNanos();
        int status = request.getAsInt();
        while (!expected.test(status)) {
            if (System.nanoTime() > end) {
                throw new CheckFailed(what + " was answered with " + status + ".");
            }
            pause();
            status = request.getAsInt();
        }
    }

    private static boolean isFine(int status) {
        return status >= 200 && status < 300;
    }

    private static boolean isRefused(int status) {
        return status == FORBIDDEN;
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_LOOKS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The suite was interrupted.", e);
        }
    }
}
