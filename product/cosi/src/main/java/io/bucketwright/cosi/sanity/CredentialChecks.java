package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.CheckFailed.require;
import static io.bucketwright.cosi.sanity.SanityCheck.check;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.sanity.RpcResult.Done;
import io.bucketwright.cosi.sanity.SanityDialect.GrantAnswer;
import io.bucketwright.cosi.wire.ParameterKeys;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Checks of what granted credentials allow, with requests to the store. */
final class CredentialChecks {

    private static final String OBJECT = "cosi-sanity.txt";

    private CredentialChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                store("credentials-granted", "Granted credentials can put, get and delete objects", client -> {
                    StoreTestClient store = withObject(client, client.newGrantedAccess());
                    expectAllowed(client, "Getting it", () -> store.get(OBJECT));
                    expectAllowed(client, "Deleting it", () -> store.delete(OBJECT));
                }),
                store("credentials-one-bucket", "Granted credentials give no access to another bucket", client -> {
                    StoreTestClient store = withObject(client, client.newGrantedAccess());
                    StoreTestClient other = store.at(client.newCreatedBucket().name());
                    expectForbidden(
                            client, "Putting an object into another bucket", other, () -> other.put(OBJECT, "hello"));
                }),
                store(
                        CheckNeed.DEFINED_EFFECTS,
                        "credentials-repeated-grant",
                        "Credentials of a repeated grant work and older ones are removed",
                        CredentialChecks::repeated),
                store("credentials-revoked", "Revoked credentials give no access", client -> {
                    TestAccess access = client.newGrantedAccess();
                    StoreTestClient store = withObject(client, access);
                    client.revoke(access).requireEnded("Revoking the access");
                    expectForbidden(client, "Getting it after that", store, () -> store.get(OBJECT));
                }),
                store(
                        CheckNeed.DEFINED_EFFECTS,
                        "credentials-read-only",
                        "Credentials with accessMode ro cannot write",
                        CredentialChecks::readOnly),
                store(
                        "credentials-private-bucket",
                        "A bucket without access mode rejects anonymous requests",
                        client -> {
                            StoreTestClient anonymous = withObject(client, client.newGrantedAccess())
                                    .anonymous();
                            expectForbidden(
                                    client, "Getting it without credentials", anonymous, () -> anonymous.get(OBJECT));
                        }),
                store(
                        CheckNeed.ANONYMOUS_ACCESS,
                        "credentials-public-bucket",
                        "A bucket with mode RO allows anonymous reads",
                        CredentialChecks::publicBucket),
                store(
                        CheckNeed.DEFINED_EFFECTS,
                        "credentials-delete-nonempty-bucket",
                        "DeleteBucket deletes a bucket that contains objects",
                        client -> {
                            TestAccess access = client.newGrantedAccess();
                            StoreTestClient store = withObject(client, access);
                            client.deleteCompletely(access.bucket())
                                    .requireEnded("Deleting a bucket that contains an object");
                            expect(
                                    client,
                                    "Getting the object after that",
                                    () -> store.get(OBJECT),
                                    status -> !isAllowed(status));
                        }));
    }

    private static SanityCheck store(String id, String title, Consumer<SanityClient> body) {
        return check(CheckNeed.STORE_ACCESS, id, title, body);
    }

    private static SanityCheck store(CheckNeed need, String id, String title, Consumer<SanityClient> body) {
        return check(CheckNeed.STORE_ACCESS, need, id, title, body);
    }

    private static void repeated(SanityClient client) {
        TestAccess access = client.newGrantedAccess();
        GrantedCredentials second = client.granted(access.bucket(), access.account());
        StoreTestClient later = StoreTestClient.of(client.http(), second);
        expectAllowed(client, "Putting an object with the later credentials", () -> later.put(OBJECT, "hello"));
        if (!access.credentials().sameAs(second)) {
            StoreTestClient earlier = StoreTestClient.of(client.http(), access.credentials());
            expectForbidden(client, "Getting it with the earlier credentials", earlier, () -> earlier.get(OBJECT));
        }
    }

    private static void readOnly(SanityClient client) {
        TestAccess access = client.newGrantedAccess();
        StoreTestClient _ = withObject(client, access);
        RpcResult<GrantAnswer> result = client.grant(
                access.bucket(),
                client.newAccount(),
                request -> request.putPermissions(ParameterKeys.ACCESS_MODE, "ro"));
        if (!(result instanceof Done<GrantAnswer>(GrantAnswer answer))) {
            throw new CheckSkipped("the driver has no parameter " + ParameterKeys.ACCESS_MODE);
        }
        requireReadOnly(client, "with accessMode ro", StoreTestClient.of(client.http(), answer.credentials()));
    }

    private static void publicBucket(SanityClient client) {
        TestBucket bucket = client.newBucket();
        if (!(client.create(bucket, request -> request.setAccessMode(AccessMode.RO)) instanceof Done)) {
            throw new CheckSkipped("the driver has no anonymous access");
        }
        String account = client.newAccount();
        StoreTestClient store = withObject(client, new TestAccess(bucket, account, client.granted(bucket, account)));
        requireReadOnly(client, "without credentials", store.anonymous());
    }

    private static void requireReadOnly(SanityClient client, String how, StoreTestClient store) {
        expectAllowed(client, "Getting it " + how, () -> store.get(OBJECT));
        expectForbidden(client, "Putting one " + how, store, () -> store.put(OBJECT, "bye"));
    }

    /** A client with the credentials that were granted, after it has put an object. */
    private static StoreTestClient withObject(SanityClient client, TestAccess access) {
        StoreTestClient store = StoreTestClient.of(client.http(), access.credentials());
        expectAllowed(client, "Putting an object", () -> store.put(OBJECT, "hello"));
        return store;
    }

    private static void expectAllowed(SanityClient client, String what, Supplier<Integer> request) {
        expect(client, what, request, CredentialChecks::isAllowed);
    }

    private static void expectForbidden(
            SanityClient client, String what, StoreTestClient store, Supplier<Integer> request) {
        expect(client, what, request, store::isForbidden);
    }

    /** Some stores apply permissions with a delay, so the expected status may take a while. */
    private static void expect(
            SanityClient client, String what, Supplier<Integer> request, Predicate<Integer> expected) {
        int status = client.pollStore(request, expected);
        require(expected.test(status), what + " was answered with " + status + ".");
    }

    private static boolean isAllowed(int status) {
        return status >= 200 && status < 300;
    }
}
