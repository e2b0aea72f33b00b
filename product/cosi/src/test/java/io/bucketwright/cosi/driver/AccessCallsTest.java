package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.options.Capability;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What GrantBucketAccess and RevokeBucketAccess ask of the store. */
class AccessCallsTest extends DriverAtSocket {

    @Test
    void grantsForOneBucketTakeTurns() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Thread first = startCall(over, () -> stub().grantBucketAccess(grant().build()));
        Thread second = Thread.startVirtualThread(() -> stub().grantBucketAccess(grant().build()));
        stub().driverInfo(DriverInfoRequest.getDefaultInstance());

        assertThat(store.requests).hasSize(1);
        over.countDown();
        first.join();
        second.join();
        assertThat(store.requests).hasSize(2);
    }

    @Test
    void eachAccountHasAPrincipalOfItsOwnForEachBucket() {
        stub().grantBucketAccess(grant().build());
        BucketOwner first = store.last(GrantRequest.class).owner();
        stub().grantBucketAccess(grant().setBucketName("films").build());
        BucketOwner second = store.last(GrantRequest.class).owner();
        stub().revokeBucketAccess(revoke(IDS).build());

        assertThat(first.uid()).startsWith("ba-1.");
        assertThat(first.clusterId()).isEqualTo("cluster-1");
        assertThat(second).isNotEqualTo(first);
        assertThat(store.last(BucketOwner.class)).isEqualTo(first);
    }

    @Test
    void theParametersOfTheAccessClassAreGranted() {
        stub().grantBucketAccess(grant().putPermissions("accessMode", "ro")
                .putPermissions("prefix", "in/")
                .putPermissions("objectLock", "true")
                .putPermissions(ParameterKeys.ALLOW, "s3:Get*, s3:List*")
                .putPermissions(ParameterKeys.DENY, "s3:GetObjectTagging")
                .build());

        assertThat(store.last(GrantRequest.class).access())
                .isEqualTo(Access.of(io.bucketwright.store.access.AccessMode.READ_ONLY)
                        .withPrefix("in/")
                        .withObjectLock(true)
                        .withActions(Set.of("s3:Get*", "s3:List*"), Set.of("s3:GetObjectTagging")));
    }

    @Test
    void credentialsHoldTheConnectionAndTheKey() {
        Map<String, String> credentials = stub().grantBucketAccess(grant().build())
                .getCreds(0)
                .getGenericCredentials()
                .getCredentialsMap();

        assertThat(credentials)
                .containsEntry("BUCKET_NAME", "photos")
                .containsEntry("AWS_ACCESS_KEY_ID", "KEY1")
                .containsEntry("AWS_SECRET_ACCESS_KEY", "secret-of-the-key")
                .containsEntry("AWS_ENDPOINT_URL", credentials.get("BUCKET_ENDPOINT"))
                .containsEntry("AWS_REGION", "eu-1")
                .doesNotContainKey("ca-bundle.crt");
    }

    @Test
    void credentialsHoldTheCaBundleOfTheClass() {
        GenericContext context =
                GenericContext.newBuilder().putBucketData("caBundle", "pem").build();
        assertThat(stub().grantBucketAccess(grant().setProviderContext(
                                        ProviderContext.newBuilder().setGenericContext(context))
                                .build())
                        .getCreds(0)
                        .getGenericCredentials()
                        .getCredentialsMap())
                .containsEntry("ca-bundle.crt", "pem");
    }

    @Test
    void aRepeatedGrantKeepsNoKey() {
        stub().grantBucketAccess(grant().build());
        stub().grantBucketAccess(grant().build());

        assertThat(store.last(GrantRequest.class).publishedKeys()).isEmpty();
    }

    @Test
    void aRotationKeepsTheKeyThatTheCallerNames() {
        stub().grantBucketAccess(grant().putPermissions(ParameterKeys.ROTATE_AT, "2026-11-15T12:00:00Z")
                .putPermissions(ParameterKeys.PUBLISHED_KEYS, "KEY1")
                .build());
        assertThat(store.last(GrantRequest.class).publishedKeys()).containsExactly("KEY1");

        store.capabilities = Set.of(Capability.PREFIX);
        stub().grantBucketAccess(grant().putPermissions(ParameterKeys.PUBLISHED_KEYS, "KEY1")
                .build());
        assertThat(store.last(GrantRequest.class).publishedKeys()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "accessMode, everything",
        "accessMode, none",
        "prefix, /../",
        "objectLock, enabled",
        "acessMode, ro",
        "cosi.io/allow, s3:Get Object",
        "cosi.io/rotate-at, tomorrow"
    })
    void invalidPermissionsAreRejected(String key, String value) {
        assertRefused(
                CosiError.GRANT_INVALID_ARGUMENT,
                () -> stub().grantBucketAccess(
                                grant().putPermissions(key, value).build()));
        assertThat(store.requests).isEmpty();
    }

    @Test
    void anExistingBucketMayHaveANameThatNewOnesCannotHave() {
        stub().grantBucketAccess(grant().setBucketName("My_Bucket").build());
        assertThat(store.last(GrantRequest.class).bucket()).hasToString("My_Bucket");
    }

    @ParameterizedTest
    @ValueSource(strings = {"photos*", "phot?s", "../photos", "photos/private", "photos--x-s3", "${aws:username}"})
    void aNameThatMeansMoreThanOneBucketIsRejected(String name) {
        assertRefused(
                CosiError.GRANT_INVALID_ARGUMENT,
                () -> stub().grantBucketAccess(grant().setBucketName(name).build()));
        assertThat(store.requests).isEmpty();
    }

    @Test
    void aServiceAccountIsRejectedByAStoreWithKeys() {
        assertRefused(
                        CosiError.GRANT_INVALID_PRINCIPAL,
                        () -> stub().grantBucketAccess(grant().putPermissions(ParameterKeys.SERVICE_ACCOUNT, "shop/web")
                                .build()))
                .contains("shop/web", "accessSecretName");
    }
}
