package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users of AWS IAM that somebody changed, and limits of IAM, as AWS answers. */
final class AwsPrincipalsTest extends ScriptedAws {

    private static final String NO_TAGS = iam("ListUserTags", "<Tags/>");

    AwsPrincipalsTest() {
        super(Map.of("identity", "iam"));
        responses.put("DeleteAccessKey", "200 <DeleteAccessKeyResponse/>");
        responses.put("GET /photos?tagging", "200 <Tagging><TagSet/></Tagging>");
        responses.put("GET /photos", "200 <ListBucketResult/>");
    }

    @Test
    void aUserWithoutTagsLosesThePublishedKeysAndIsReported() {
        responses.put("ListUserTags", NO_TAGS);
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of("KEY1", "KEY2")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining(owner.principal().text())
                .hasMessageContaining("no longer names its owner");
        assertThat(requests)
                .filteredOn(request -> request.startsWith("DeleteAccessKey"))
                .hasSize(2);
        assertThat(requests).noneMatch(request -> request.startsWith("DeleteUser"));
        DeleteRequest purge = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE, Naming.GIVEN, true, Set.of("KEY3"));
        assertThatThrownBy(() -> store.delete(call(), purge)).isInstanceOf(Denied.class);
        assertThat(iamRequests).anyMatch(request -> request.contains("KEY3"));
        assertThat(requests).noneMatch(request -> request.startsWith("DELETE"));
    }

    /** A backup was restored into another cluster: the keys that it records are those of the first one. */
    @Test
    void aUserOfTheSameUidInAnotherClusterKeepsItsKeys() {
        responses.put("ListUserTags", userTags("another", "uid"));
        store.revoke(call(), bucket, owner, Set.of("KEY1"));
        assertThat(requests).noneMatch(request -> request.startsWith("Delete"));
    }

    /** Whoever may tag users must not be able to keep the keys of a deleted claim alive. */
    @ParameterizedTest
    @CsvSource({"cluster, another-uid", "another, another-uid", "an other, uid"})
    void aUserThatNamesAnybodyElseLosesThePublishedKeysAndIsReported(String cluster, String uid) {
        responses.put("ListUserTags", userTags(cluster, uid));
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of("KEY1")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("The keys that are recorded for its claim are deleted");
        assertThat(iamRequests)
                .anyMatch(request -> request.startsWith("Action=DeleteAccessKey") && request.contains("KEY1"));
        assertThat(requests).noneMatch(request -> request.startsWith("DeleteUser"));
    }

    @Test
    void whereNoKeysAreKnownTheMessageSaysThatTheyStillWork() {
        responses.put("ListUserTags", NO_TAGS);
        assertThatThrownBy(() -> store.revoke(call(), bucket, owner, Set.of()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Its keys still work")
                .hasMessageNotContaining("are deleted");
    }

    @Test
    void verificationReportsAUserThatDoesNotNameItsOwner() {
        responses.put("GET /photos?tagging", bucketTags("uid"));
        responses.put(
                "ListUserPolicies",
                iam("ListUserPolicies", "<PolicyNames><member>bucketwright</member></PolicyNames>"));
        responses.put("ListUserTags", NO_TAGS);
        assertThat(store.verify(call(), bucket, owner)).containsExactly(MissingPart.PRINCIPAL);
        responses.put("ListUserTags", userTags("cluster", "uid"));
        assertThat(store.verify(call(), bucket, owner)).isEmpty();
    }

    @Test
    void aLimitOfIamIsReportedWithItsMessage() {
        responses.put("ListUserTags", "404 NoSuchEntity");
        responses.put("CreateUser", "409 LimitExceeded");
        errorMessage = "Cannot exceed quota for UsersPerAccount: 5000";
        GrantRequest request = grantRequest(bucket, owner);
        assertThatThrownBy(() -> store.grant(call(), request))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("limit")
                .hasMessageContaining("Cannot exceed quota for UsersPerAccount: 5000");
    }

    /** Another call for the same claim creates keys at the same time: nobody has to ask AWS for a higher limit. */
    @Test
    void theKeysOfAnotherCallAreNoLimitOfTheAccount() {
        responses.put("ListUserTags", userTags("cluster", "uid"));
        responses.put("PutUserPolicy", "200 <PutUserPolicyResponse/>");
        responses.put("ListAccessKeys", iam("ListAccessKeys", "<AccessKeyMetadata/>"));
        responses.put("CreateAccessKey", "409 LimitExceeded");
        GrantRequest request = grantRequest(bucket, owner);
        assertThatThrownBy(() -> store.grant(call(), request)).isInstanceOf(Unavailable.class);
        assertThat(requests).anyMatch(sent -> sent.startsWith("CreateAccessKey"));
    }
}
