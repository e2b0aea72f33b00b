package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of AWS that no store on this machine gives, as AWS documents them. */
final class AwsResponsesTest extends ScriptedAws {

    private static final String NO_BUCKETS = "<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>";

    AwsResponsesTest() {
        super(Map.of());
    }

    @Test
    void aBucketOfAnotherAccountIsTaken() {
        responses.put("GET /photos?tagging", "403 AccessDenied");
        responses.put("PUT /photos", "409 BucketAlreadyExists");
        responses.put("GET /", "200 " + NO_BUCKETS);
        assertThatThrownBy(this::provision).isInstanceOf(Taken.class).hasMessageContaining("another account");
    }

    @Test
    void withoutPermissionsItIsUnknownWhoseTheBucketIs() {
        responses.put("GET /photos?tagging", "403 AccessDenied");
        responses.put("GET /", "403 AccessDenied");
        assertThatThrownBy(this::delete).isInstanceOf(Denied.class);
        responses.put(
                "GET /",
                "200 <ListAllMyBucketsResult><Buckets><Bucket><Name>photos</Name></Bucket></Buckets>"
                        + "</ListAllMyBucketsResult>");
        assertThatThrownBy(this::delete).isInstanceOf(Denied.class);
    }

    @Test
    void theDeletionOfABucketOfAnotherAccountEnds() {
        responses.put("GET /photos?tagging", "403 AccessDenied");
        responses.put("GET /", "200 " + NO_BUCKETS);
        responses.put("ListUserTags", "404 NoSuchEntity");
        assertThatThrownBy(this::delete).isInstanceOf(Taken.class);
    }

    @Test
    void aBucketInAnotherRegionIsTaken() {
        responses.put("GET /photos?tagging", "301 PermanentRedirect");
        responses.put("PUT /photos", "409 BucketAlreadyOwnedByYou");
        assertThatThrownBy(this::provision).isInstanceOf(Taken.class).hasMessageContaining("another region");
    }

    @Test
    void aBucketThatAnotherAccountCreatedAfterItWasDeletedIsMissing() {
        responses.put("GET /photos?tagging", "403 AccessDenied");
        responses.put("GET /", "200 " + NO_BUCKETS);
        assertThat(store.verify(call(), bucket, owner)).containsExactly(MissingPart.BUCKET);
        responses.put("GET /photos?tagging", "301 PermanentRedirect");
        assertThat(store.verify(call(), bucket, owner)).containsExactly(MissingPart.BUCKET);
        responses.put("GET /photos?tagging", "403 AccessDenied");
        responses.put("GET /", "403 AccessDenied");
        assertThatThrownBy(() -> store.verify(call(), bucket, owner))
                .as("nobody knows")
                .isInstanceOf(Denied.class);
    }

    @Test
    void aMissingPermissionIsNamed() {
        responses.put("GET /photos?tagging", "404 NoSuchBucket");
        responses.put("PUT /photos", "403 AccessDenied");
        assertThatThrownBy(this::provision)
                .isInstanceOf(Denied.class)
                .hasMessageContaining("create the bucket photos")
                .hasMessageContaining("s3:CreateBucket and s3:TagResource");
        responses.put("ListUserTags", "403 AccessDenied");
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("iam:ListUserTags");
        responses.put("ListUserTags", "403 InvalidClientTokenId");
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("administrator's credentials")
                .message()
                .doesNotContain("permission");
    }

    @ParameterizedTest
    @ValueSource(strings = {"503 SlowDown", "400 Throttling", "429 "})
    void throttlingIsRetriedAndReportedAsSuch(String response) {
        responses.put("GET /photos?tagging", response);
        assertThatThrownBy(this::provision)
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("limits the rate of requests");
    }

    @Test
    void tooManyBucketsIsRetriedAndSaysWhatToDo() {
        responses.put("GET /photos?tagging", "404 NoSuchBucket");
        responses.put("PUT /photos", "400 TooManyBuckets");
        assertThatThrownBy(this::provision)
                .isInstanceOf(Denied.class)
                .hasMessageContaining("maximum number of buckets");
    }

    /** The default of iamEndpoint is endpoint, and most stores do not serve IAM there. */
    @ParameterizedTest
    @ValueSource(strings = {"405 MethodNotAllowed", "501 NotImplemented", "405 "})
    void anEndpointThatDoesNotServeIamIsNamedAsTheProblem(String response) {
        responses.put("GET /photos?tagging", "404 NoSuchBucket");
        responses.put("ListUserTags", response);
        assertThatThrownBy(this::delete)
                .isInstanceOf(Unsupported.class)
                .hasMessageContaining("AWS IAM API")
                .hasMessageContaining("iamEndpoint");
        responses.put("GET /photos?tagging", response);
        assertThatThrownBy(this::delete)
                .isInstanceOf(Unsupported.class)
                .message()
                .doesNotContain("iamEndpoint");
    }

    /** A proxy without a route to the store (404), or one that requires https (301), says nothing about buckets and users. */
    @ParameterizedTest
    @ValueSource(strings = {"404 ", "301 ", "404 <html><body>not found</body></html>", "404 NoSuchRoute", "200 "})
    void aResponseThatIsNotTheStoresProvesNothing(String response) {
        // The proxy of S3.
        user();
        responses.put("GET /photos?tagging", response);
        assertThatThrownBy(this::delete).as("delete").isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> store.release(call(), bucket, owner)).isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> store.checkCluster(call(), bucket, owner)).isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> store.erase(call(), bucket, owner)).isInstanceOf(Unavailable.class);
        assertThatThrownBy(
                        () -> store.update(call(), UpdateRequest.removing(bucket, owner, AppliedOptions.ALL_OPENING)))
                .isInstanceOf(Unavailable.class);
        assertThat(requests).doesNotContain("DELETE /photos", "DeleteUser");
        // The proxy of IAM.
        responses.put("GET /photos?tagging", "404 NoSuchBucket");
        responses.put("ListUserTags", response);
        assertThatThrownBy(this::delete).as("delete").isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner)).isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> store.suspend(call(), bucket, owner)).isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> store.check(call(), bucket, owner)).isInstanceOf(Unavailable.class);
    }

    @Test
    void aProxyInTheMiddleOfADeletionDoesNotEndIt() {
        ownedBucket();
        responses.put("ListAccessKeys", "404 ");
        assertThatThrownBy(this::delete).isInstanceOf(Unavailable.class);
        responses.put("ListAccessKeys", iam("ListAccessKeys", "<AccessKeyMetadata/>"));
        responses.put("DeleteUser", "404 ");
        assertThatThrownBy(this::delete).isInstanceOf(Unavailable.class);
        responses.put("DeleteUser", iam("DeleteUser", ""));
        responses.put("DELETE /photos", "404 ");
        assertThatThrownBy(this::delete).isInstanceOf(Unavailable.class).hasMessageContaining("proxy");
        responses.put("DELETE /photos", "404 NoSuchBucket");
        assertThat(delete()).isEqualTo(new Progress.Done());
    }

    @ParameterizedTest
    @EnumSource(OnNotEmpty.class)
    void aBucketThatGetsAnotherOwnerDuringItsDeletionIsKept(OnNotEmpty onNotEmpty) {
        ownedBucket();
        afterwards.put("DeleteUser", () -> responses.put("GET /photos?tagging", bucketTags("another")));
        assertThatThrownBy(() -> store.delete(call(), new DeleteRequest(bucket, owner, onNotEmpty)))
                .isInstanceOf(Taken.class);
        assertThat(requests).contains("DeleteUser").doesNotContain("DELETE /photos");
        assertThat(requests).last().as("no object is listed or deleted").isEqualTo("GET /photos?tagging");
    }

    @Test
    void aBucketThatGetsAnotherOwnerWhileItIsEmptiedIsKept() {
        ownedBucket();
        afterwards.put("GET /photos?uploads", () -> responses.put("GET /photos?tagging", bucketTags("another")));
        DeleteRequest purge = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
        assertThatThrownBy(() -> store.delete(call(), purge)).isInstanceOf(Taken.class);
        assertThat(requests).doesNotContain("DELETE /photos");
    }

    /** Else a claim would wait for a change of its own, although only the store or its administrator can help. */
    @Test
    void onlyAStoreThatNamesTheErrorCallsARequestInvalid() {
        responses.put("GET /photos?tagging", "400 ");
        assertThatThrownBy(this::delete).isInstanceOf(Unavailable.class);
        responses.put("GET /photos?tagging", "400 ExpiredToken");
        assertThatThrownBy(this::delete).isInstanceOf(Denied.class);
        responses.put("GET /photos?tagging", "400 InvalidArgument");
        assertThatThrownBy(this::delete).isInstanceOf(Invalid.class);
    }

    @ParameterizedTest
    @CsvSource({"429 TooMany,7,7", "503 SlowDown,120,120", "503 SlowDown,999999,300", "503 SlowDown,Wed 21 Oct,0"})
    void theStoresRetryAfterIsPassedOn(String response, String header, long seconds) {
        responses.put("GET /photos?tagging", response);
        retryAfter = header;
        assertThatThrownBy(this::delete)
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        busy -> assertThat(busy.retryAfter()).isEqualTo(Duration.ofSeconds(seconds)));
    }

    @Test
    void whatOthersAttachedToAUserIsDetachedBeforeItIsDeleted() {
        user();
        responses.put("DeleteUser", "409 DeleteConflict");
        responses.put(
                "ListAttachedUserPolicies",
                iam(
                        "ListAttachedUserPolicies",
                        "<AttachedPolicies><member><PolicyArn>arn:aws:iam::aws:policy/AWSCompromisedKeyQuarantineV2"
                                + "</PolicyArn></member></AttachedPolicies>"));
        responses.put(
                "ListGroupsForUser",
                iam("ListGroupsForUser", "<Groups><member><GroupName>all</GroupName></member></Groups>"));
        responses.put("ListUserPolicies", iam("ListUserPolicies", "<PolicyNames/>"));
        responses.put("DeleteLoginProfile", "404 NoSuchEntity");
        responses.put("RemoveUserFromGroup", iam("RemoveUserFromGroup", ""));
        responses.put("DetachUserPolicy", iam("DetachUserPolicy", ""));
        assertThatThrownBy(this::delete)
                .as("IAM still refuses")
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Remove what is attached");
        assertThat(requests).contains("DetachUserPolicy", "RemoveUserFromGroup", "DeleteLoginProfile");
        responses.put("DeleteUser", iam("DeleteUser", ""));
        assertThat(delete()).isEqualTo(new Progress.Done());
    }

    @ParameterizedTest
    @ValueSource(strings = {"control\u0001key", "control\ufffdkey"})
    void aKeyThatXmlCannotContainIsListedEncodedAndDeleted(String listed) {
        user();
        responses.put("GET /photos?tagging", bucketTags("uid"));
        responses.put("DeleteUser", iam("DeleteUser", ""));
        responses.put("GET /photos?versions", "200 " + versions("", listed));
        responses.put(
                "GET /photos?versions&url", "200 " + versions("<EncodingType>url</EncodingType>", "control%01key"));
        responses.put("GET /photos?uploads", "200 <ListMultipartUploadsResult/>");
        responses.put("DELETE /photos", "204 ");
        responses.put("DELETE /photos/control%01key", "204 ");
        afterwards.put(
                "DELETE /photos/control%01key",
                () -> responses.put("GET /photos?versions", "200 <ListVersionsResult/>"));
        DeleteRequest purge = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
        assertThat(store.delete(call(), purge)).isEqualTo(new Progress.Done());
        assertThat(requests).contains("DELETE /photos/control%01key", "DELETE /photos");
    }

    /** An empty bucket and its user. */
    private void ownedBucket() {
        user();
        responses.put("GET /photos?tagging", bucketTags("uid"));
        responses.put("GET /photos?versions", "200 <ListVersionsResult/>");
        responses.put("GET /photos?uploads", "200 <ListMultipartUploadsResult/>");
        responses.put("DeleteUser", iam("DeleteUser", ""));
        responses.put("DELETE /photos", "204 ");
    }

    /** Access must not be reported as ended while a policy that we wrote gives it. */
    @Test
    void theGeneratedPolicyIsRemovedInWhateverFormTheStoreReturnsIt() {
        String statement = "{\"Sid\":\"BucketwrightPut\",\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"*\"},"
                + "\"Action\":\"s3:PutObject\",\"Resource\":\"arn:aws:s3:::photos/*\"}";
        UpdateRequest closing = UpdateRequest.removing(
                bucket, owner, new AppliedOptions(Set.of(Capability.ANONYMOUS_ACCESS), Set.of()));
        ownedBucket();
        responses.put("DELETE /photos?policy", "204 ");
        responses.put("GET /photos?policy", "200 {\"Version\":\"2012-10-17\",\"Statement\":[" + statement + "]}");
        store.update(call(), closing);
        assertThat(requests).containsOnlyOnce("DELETE /photos?policy");
        responses.put(
                "GET /photos?policy",
                "200 {\"Statement\":[" + statement + "," + statement.replace("BucketwrightPut", "Mine") + "]}");
        assertThatThrownBy(() -> store.update(call(), closing))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Sid");
        assertThat(requests).containsOnlyOnce("DELETE /photos?policy");
        responses.put("GET /photos?policy", "200 {\"Statement\":" + statement + "}");
        responses.put("DELETE /photos?policy", "405 ");
        assertThatThrownBy(() -> store.update(call(), closing)).isInstanceOf(Denied.class);
        responses.put("GET /photos?policy", "200 ");
        assertThatThrownBy(() -> store.update(call(), closing)).isInstanceOf(Unavailable.class);
        responses.put("GET /photos?policy", "404 NoSuchBucketPolicy");
        store.update(call(), closing);
    }

    private static String versions(String encoding, String key) {
        return "<ListVersionsResult>" + encoding + "<Version><Key>" + key
                + "</Key><VersionId>null</VersionId></Version></ListVersionsResult>";
    }

    private void user() {
        responses.put("GET /photos?tagging", "404 NoSuchBucket");
        responses.put("ListUserTags", userTags("cluster", "uid"));
        responses.put("ListAccessKeys", iam("ListAccessKeys", "<AccessKeyMetadata/>"));
        responses.put("DeleteUserPolicy", "404 NoSuchEntity");
    }

    private void provision() {
        store.provision(call(), provisionRequest(bucket, owner));
    }

    private Progress delete() {
        return store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
    }
}
