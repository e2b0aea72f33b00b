package io.bucketwright.api.cosi;

import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.text.TextEnum;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An account on a bucket. The controller creates it, a sidecar grants it. */
@Group(CosiNames.GROUP)
@Plural("bucketaccesses")
@Version(CosiNames.VERSION)
@ShortNames("ba")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Provisioner", jsonPath = ".spec.provisioner")
@AdditionalPrinterColumn(name = "Bucket", jsonPath = ".spec.bucketName")
@AdditionalPrinterColumn(name = "Request-Namespace", jsonPath = ".spec.bucketAccessRequestNamespace")
@AdditionalPrinterColumn(name = "Request", jsonPath = ".spec.bucketAccessRequestName")
public class BucketAccess extends CosiResource<BucketAccessSpec> {

    /**
     * The account in the store, and the Secret with its credentials in the provisioner's namespace. It is named after the
     * request, whose uid a restored object keeps in its spec, so that a restored access can still be revoked.
     */
    public String account() {
        return accountOf(getSpec().bucketAccessRequestUid());
    }

    /** The account, and the name of its Secret, for the request with this uid. */
    public static String accountOf(String requestUid) {
        return "ba-" + requestUid;
    }

    /** The account that a rotation grants while the first one is in use; the next rotation returns to the first. */
    public String secondAccount() {
        return secondOf(account());
    }

    /** The second account beside this first one. */
    public static String secondOf(String account) {
        return account + "-2";
    }

    /** The phase; empty if nobody has written one. */
    public Optional<BucketAccessPhase> phase() {
        return TextEnum.find(BucketAccessPhase.values(), status().phase());
    }

    /**
     * The default shows a new object as not yet observed, without a write. It has no phase before the first attempt to grant
     * access.
     */
    @Override
    @Default("{\"observedGeneration\": 0}")
    public @Nullable CosiStatus getStatus() {
        return super.getStatus();
    }
}
