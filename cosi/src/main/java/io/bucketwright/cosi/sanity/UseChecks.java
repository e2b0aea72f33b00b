package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.sanity.Answer.Done;
import io.bucketwright.cosi.sanity.Answer.Refused;
import io.bucketwright.cosi.sanity.Check.CheckFailed;
import io.bucketwright.cosi.sanity.Check.CheckSkipped;
import io.bucketwright.cosi.wire.Keys;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

/** What the credentials that a driver hands out open, and what they do not. Tried with S3 itself, if that is wanted. */
final class UseChecks {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final String OBJECT = "cosi-sanity.txt";
    private static final int FORBIDDEN = 403;

    private final HttpClient http;

    UseChecks(HttpClient http) {
        this.http = http;
    }

    List<Check> all() {
        return List.of(
                new Check("use-granted", "Granted credentials put, get and delete objects", this::granted),
                new Check("use-one-bucket", "Granted credentials open no other bucket", this::oneBucket),
                new Check(
                        "use-repeated",
                        "Credentials of a repeated grant work, and older ones do not pile up",
                        this::repeated),
                new Check("use-revoked", "Revoked credentials open nothing", this::revoked),
                new Check("use-read-only", "Credentials of accessMode ro write nothing", this::readOnly),
                new Check(
                        "use-private", "A bucket without access mode is closed to the uncredentialed", this::privately),
                new Check(
                        "use-public", "A bucket of mode RO is open to the uncredentialed, for reading", this::publicly),
                new Check("use-delete-full", "DeleteBucket deletes a bucket with its contents", this::deleteFull));
    }

    private void granted(Probe probe) {
        S3Door door = door(probe, probe.madeBucket());
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), UseChecks::isFine);
        expect(probe, "Getting it", () -> door.get(OBJECT), UseChecks::isFine);
        expect(probe, "Deleting it", () -> door.delete(OBJECT), UseChecks::isFine);
    }

    private void oneBucket(Probe probe) {
        S3Door door = door(probe, probe.madeBucket());
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), UseChecks::isFine);
        S3Door neighbour = door.at(probe.madeBucket().name());
        expect(
                probe,
                "Putting an object into another bucket",
                () -> neighbour.put(OBJECT, "hello"),
                UseChecks::isRefused);
    }

    private void repeated(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        String account = account(probe);
        Granted first = GrantChecks.grant(probe, bucket, account);
        Granted second = GrantChecks.grant(probe, bucket, account);
        S3Door door = S3Door.of(http, second);
        expect(
                probe,
                "Putting an object with the later credentials",
                () -> door.put(OBJECT, "hello"),
                UseChecks::isFine);
        if (!first.sameAs(second)) {
            S3Door older = S3Door.of(http, first);
            expect(probe, "Getting it with the earlier ones", () -> older.get(OBJECT), UseChecks::isRefused);
        }
    }

    private void revoked(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        String account = account(probe);
        S3Door door = S3Door.of(http, GrantChecks.grant(probe, bucket, account));
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), UseChecks::isFine);
        probe.revoke(probe.requests().revoke(bucket, account).build()).requireEnded("Revoking the access");
        expect(probe, "Getting it after that", () -> door.get(OBJECT), UseChecks::isRefused);
    }

    private void readOnly(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        S3Door writer = door(probe, bucket);
        expect(probe, "Putting an object", () -> writer.put(OBJECT, "hello"), UseChecks::isFine);
        Answer<GrantBucketAccessResponse> answer = probe.grant(probe.requests()
                .grant(bucket, probe.newAccount())
                .putPermissions(Keys.ACCESS_MODE, "ro")
                .build());
        if (!(answer instanceof Done<GrantBucketAccessResponse>(GrantBucketAccessResponse response))) {
            throw new CheckSkipped("the driver has no parameter " + Keys.ACCESS_MODE);
        }
        S3Door reader = S3Door.of(http, Granted.of(response));
        expect(probe, "Getting it with accessMode ro", () -> reader.get(OBJECT), UseChecks::isFine);
        expect(probe, "Putting one with accessMode ro", () -> reader.put(OBJECT, "bye"), UseChecks::isRefused);
    }

    private void privately(Probe probe) {
        S3Door door = door(probe, probe.madeBucket());
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), UseChecks::isFine);
        expect(probe, "Getting it without credentials", () -> door.anonymously().get(OBJECT), UseChecks::isRefused);
    }

    private void publicly(Probe probe) {
        SampleBucket bucket = probe.newBucket();
        Answer<CreateBucketResponse> answer = probe.create(
                probe.requests().create(bucket).setAccessMode(AccessMode.RO).build());
        if (answer instanceof Refused<CreateBucketResponse>) {
            throw new CheckSkipped("the driver has no anonymous access");
        }
        S3Door door = door(probe, bucket);
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), UseChecks::isFine);
        S3Door anybody = door.anonymously();
        expect(probe, "Getting it without credentials", () -> anybody.get(OBJECT), UseChecks::isFine);
        expect(probe, "Putting one without credentials", () -> anybody.put(OBJECT, "bye"), UseChecks::isRefused);
    }

    private void deleteFull(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        S3Door door = door(probe, bucket);
        expect(probe, "Putting an object", () -> door.put(OBJECT, "hello"), UseChecks::isFine);
        probe.deleteWholly(probe.requests().delete(bucket).build())
                .requireEnded("Deleting a bucket that holds something");
        expect(probe, "Getting the object after that", () -> door.get(OBJECT), status -> !isFine(status));
    }

    private S3Door door(Probe probe, SampleBucket bucket) {
        return S3Door.of(http, GrantChecks.grant(probe, bucket, account(probe)));
    }

    private static String account(Probe probe) {
        if (!probe.options().use()) {
            throw new CheckSkipped("trying credentials out was not asked for");
        }
        if (probe.protocol() != DataProtocol.S3) {
            throw new CheckSkipped("only S3 can be tried out");
        }
        return probe.newAccount();
    }

    /** Rights spread slowly in some stores: what is expected may take a while. */
    private static void expect(Probe probe, String what, IntSupplier request, IntPredicate expected) {
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
