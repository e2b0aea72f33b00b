package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Kubernetes' own quota, on the number of claims in a namespace. */
class QuotaIT extends ScenarioTestBase {

    private static final String COUNT = "count/objectbucketclaims.objectbucket.io";

    @Test
    void aResourceQuotaRefusesTheClaimOverTheCountAndAdmitsItOnceAnotherIsDeleted() {
        scenario.serve();
        String storageClass = scenario.s3Class("s3");
        ObjectBucketClaimSpec.Builder spec = Scenario.newBucket(storageClass);
        ResourceQuota quota = new ResourceQuotaBuilder()
                .withNewMetadata()
                .withNamespace(scenario.namespace())
                .withName("claims")
                .endMetadata()
                .withNewSpec()
                .withHard(Map.of(COUNT, new Quantity("2")))
                .endSpec()
                .build();
        // Kubernetes looks for new kinds twice a minute, and at known quotas every five minutes only.
        scenario.admin().resource(quota).create();
        Scenario.await("the quota to be counted")
                .pollInterval(Duration.ofSeconds(3))
                .until(() -> used(quota).equals("0") || !isMadeAnew(quota));
        scenario.claim("first", spec);
        scenario.claim("second", spec);
        assertThatThrownBy(() -> scenario.claim("third", spec))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo(403))
                .hasMessageContaining("exceeded quota")
                .hasMessageContaining(COUNT);
        scenario.awaitBound("first");
        scenario.awaitBound("second");
        scenario.assertNoDuplicates();
        scenario.at("first").delete();
        Scenario.await("the quota to be given back").until(() -> used(quota).equals("1"));
        scenario.bind("third", spec);
        scenario.assertAllCanBeDeleted();
    }

    private boolean isMadeAnew(ResourceQuota quota) {
        scenario.admin().resource(quota).delete();
        scenario.admin().resource(quota).create();
        return true;
    }

    private String used(ResourceQuota quota) {
        ResourceQuota now = scenario.admin().resource(quota).require();
        return now.getStatus() == null || now.getStatus().getUsed() == null
                ? ""
                : String.valueOf(now.getStatus().getUsed().get(COUNT));
    }
}
