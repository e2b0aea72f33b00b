package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Taken;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** AWS in us-east-1, which answers 200 to CreateBucket of a bucket that the account has, and resets its ACL. */
final class FirstRegionTest extends ScriptedAws {

    /** The server is the proxy in front of AWS. */
    FirstRegionTest() {
        super(Map.of(
                "endpoint", "http://s3.us-east-1.amazonaws.com",
                "iamEndpoint", "http://iam.amazonaws.com",
                "region", "us-east-1",
                "pathStyle", "true",
                "identity", "iam",
                "proxy", "PROXY"));
    }

    @Test
    void aBucketWhoseTagsMayNotBeReadIsNotCreatedAgain() {
        responses.put("GET /photos?tagging", "403 AccessDenied");
        responses.put("PUT /photos", "200 ");
        assertThatThrownBy(this::provision).isInstanceOf(Denied.class);
        assertThat(requests).isNotEmpty().noneMatch(request -> request.startsWith("PUT"));
    }

    /** The tags of the other claim replace those of this one after it has read them once. */
    @Test
    void ofTwoClaimsThatCreateABucketAtTheSameTimeOneGetsIt() {
        responses.put("GET /photos?tagging", "404 NoSuchBucket");
        responses.put("PUT /photos", "200 ");
        afterwards.put("PUT /photos", () -> {
            requests.clear();
            responses.put("GET /photos?tagging", bucketTags("uid"));
            afterwards.put("GET /photos?tagging", () -> responses.put("GET /photos?tagging", bucketTags("another")));
        });
        assertThatThrownBy(this::provision).isInstanceOf(Taken.class);
        assertThat(requests).filteredOn("GET /photos?tagging"::equals).hasSizeGreaterThan(1);
    }

    /** The bucket policy of the other account lets the administrator read the bucket, and users are denied all the same. */
    @Test
    void anExistingBucketOfAnotherAccountIsRefusedBeforeItsUserIsCreated() {
        responses.put("GET /photos?tagging", "200 <Tagging><TagSet/></Tagging>");
        responses.put("GET /photos", "200 <ListBucketResult/>");
        responses.put("GET /", "200 <ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>");
        GrantRequest request = grantRequest(bucket, owner);
        assertThatThrownBy(() -> store.grant(call(), request))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("photos belongs to another account of AWS")
                .hasMessageContaining("Name a bucket of the administrator's account");
        assertThat(requests).allMatch(sent -> sent.startsWith("GET"));
    }

    private void provision() {
        store.provision(call(), provisionRequest(bucket, owner));
    }
}
