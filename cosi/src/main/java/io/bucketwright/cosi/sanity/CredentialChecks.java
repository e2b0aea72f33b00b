package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.SanityCheck.check;
import static io.bucketwright.cosi.sanity.SanityCheck.require;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.sanity.RpcResult.Done;
import io.bucketwright.cosi.sanity.SanityCheck.CheckSkipped;
import io.bucketwright.cosi.wire.ParameterKeys;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Checks of what granted credentials allow, with requests to the store by S3. */
final class CredentialChecks {

    private static final String OBJECT = "cosi-sanity.txt";
    private static final int FORBIDDEN = 403;

    private CredentialChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                s3("credentials-granted", "Granted credentials can put, get and delete objects", client -> {
                    S3TestClient s3 = withObject(client, client.newGrantedAccess());
                    expectAllowed(client, "Getting it", () -> s3.get(OBJECT));
                    expectAllowed(client, "Deleting it", () -> s3.delete(OBJECT));
                }),
                s3("credentials-one-bucket", "Granted credentials give no access to another bucket", client -> {
                    S3TestClient s3 = withObject(client, client.newGrantedAccess());
                    S3TestClient other = s3.at(client.newCreatedBucket().name());
                    expectForbidden(client, "Putting an object into another bucket", () -> other.put(OBJECT, "hello"));
                }),
                s3(
                        "credentials-repeated-grant",
                        "Credentials of a repeated grant work and older ones are removed",
                        CredentialChecks::repeated),
                s3("credentials-revoked", "Revoked credentials give no access", client -> {
                    TestAccess access = client.newGrantedAccess();
                    S3TestClient s3 = withObject(client, access);
                    client.revoke(access).requireEnded("Revoking the access");
                    expectForbidden(client, "Getting it after that", () -> s3.get(OBJECT));
                }),
                s3("credentials-read-only", "Credentials with accessMode ro cannot write", CredentialChecks::readOnly),
                s3("credentials-private-bucket", "A bucket without access mode rejects anonymous requests", client -> {
                    S3TestClient anonymous =
                            withObject(client, client.newGrantedAccess()).anonymous();
                    expectForbidden(client, "Getting it without credentials", () -> anonymous.get(OBJECT));
                }),
                s3(
                        "credentials-public-bucket",
                        "A bucket with mode RO allows anonymous reads",
                        CredentialChecks::publicBucket),
                s3(
                        "credentials-delete-nonempty-bucket",
                        "DeleteBucket deletes a bucket that contains objects",
                        client -> {
                            TestAccess access = client.newGrantedAccess();
                            S3TestClient s3 = withObject(client, access);
                            client.deleteCompletely(access.bucket())
                                    .requireEnded("Deleting a bucket that contains an object");
                            expect(
                                    client,
                                    "Getting the object after that",
                                    () -> s3.get(OBJECT),
                                    status -> !isAllowed(status));
                        }));
    }

    private static SanityCheck s3(String id, String title, Consumer<SanityClient> body) {
        return check(id, title, client -> {
            if (!client.testsCredentials()) {
                throw new CheckSkipped("tests of credentials were not requested");
            }
            if (client.protocol() != DataProtocol.S3) {
                throw new CheckSkipped("only credentials for S3 can be tested");
            }
            body.accept(client);
        });
    }

    private static void repeated(SanityClient client) {
        TestAccess access = client.newGrantedAccess();
        GrantedCredentials second = client.granted(access.bucket(), access.account());
        S3TestClient later = S3TestClient.of(client.http(), second);
        expectAllowed(client, "Putting an object with the later credentials", () -> later.put(OBJECT, "hello"));
        if (!access.credentials().sameAs(second)) {
            S3TestClient earlier = S3TestClient.of(client.http(), access.credentials());
            expectForbidden(client, "Getting it with the earlier credentials", () -> earlier.get(OBJECT));
        }
    }

    private static void readOnly(SanityClient client) {
        TestAccess access = client.newGrantedAccess();
        S3TestClient _ = withObject(client, access);
        RpcResult<GrantBucketAccessResponse> result = client.grant(
                access.bucket(),
                client.newAccount(),
                request -> request.putPermissions(ParameterKeys.ACCESS_MODE, "ro"));
        if (!(result instanceof Done<GrantBucketAccessResponse>(GrantBucketAccessResponse response))) {
            throw new CheckSkipped("the driver has no parameter " + ParameterKeys.ACCESS_MODE);
        }
        requireReadOnly(client, "with accessMode ro", S3TestClient.of(client.http(), GrantedCredentials.of(response)));
    }

    private static void publicBucket(SanityClient client) {
        TestBucket bucket = client.newBucket();
        if (!(client.create(bucket, request -> request.setAccessMode(AccessMode.RO)) instanceof Done)) {
            throw new CheckSkipped("the driver has no anonymous access");
        }
        String account = client.newAccount();
        S3TestClient s3 = withObject(client, new TestAccess(bucket, account, client.granted(bucket, account)));
        requireReadOnly(client, "without credentials", s3.anonymous());
    }

    private static void requireReadOnly(SanityClient client, String how, S3TestClient s3) {
        expectAllowed(client, "Getting it " + how, () -> s3.get(OBJECT));
        expectForbidden(client, "Putting one " + how, () -> s3.put(OBJECT, "bye"));
    }

    /** A client with the credentials that were granted, after it has put an object. */
    private static S3TestClient withObject(SanityClient client, TestAccess access) {
        S3TestClient s3 = S3TestClient.of(client.http(), access.credentials());
        expectAllowed(client, "Putting an object", () -> s3.put(OBJECT, "hello"));
        return s3;
    }

    private static void expectAllowed(SanityClient client, String what, Supplier<Integer> request) {
        expect(client, what, request, CredentialChecks::isAllowed);
    }

    private static void expectForbidden(SanityClient client, String what, Supplier<Integer> request) {
        expect(client, what, request, status -> status == FORBIDDEN);
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
