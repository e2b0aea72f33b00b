package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.runtime.controller.Problem;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The parts of orders that the protocols of Kubernetes SIG Storage cannot express. Such an order is refused: without that
 * part the driver would open a bucket, or grant more than the class allows.
 *
 * @param dialect the gRPC package, for messages
 */
record UnsupportedParts(String dialect) {

    /** The answer of the call, unless the order has such a part: then the driver is not called. */
    <T> DriverAnswer<T> refusedOr(DriverOrder.Create order, Supplier<DriverAnswer<T>> call) {
        return in(order).<DriverAnswer<T>>map(DriverAnswer.Failed::new).orElseGet(call);
    }

    /** The answer of the call, unless the order has such a part: then the driver is not called. */
    <T> DriverAnswer<T> refusedOr(DriverOrder.Grant order, Supplier<DriverAnswer<T>> call) {
        return in(order).<DriverAnswer<T>>map(DriverAnswer.Failed::new).orElseGet(call);
    }

    private Optional<Problem> in(DriverOrder.Create order) {
        if (order.transferCheck()) {
            // These drivers record no cluster, so the bucket belongs to whoever knows its id.
            return Optional.of(Problem.retryable(
                    ProvisionerReason.ALREADY_EXISTS.text(), "The driver does not record the owners of buckets."));
        }
        if (order.anonymousAccess() != AnonymousAccessMode.PRIVATE) {
            return unsupported("anonymous access. Remove anonymousAccessMode from the class");
        }
        return order.secrets().isEmpty() ? Optional.empty() : withoutSecrets();
    }

    private Optional<Problem> in(DriverOrder.Grant order) {
        if (!order.account().actions().equals(PolicyActions.NONE)) {
            return unsupported("policyActions. Use an access class without them, and the driver's own parameters");
        }
        if (!order.account().serviceAccount().isEmpty()) {
            return unsupported("service accounts. Request a Secret with accessSecretName instead");
        }
        return order.secrets().isEmpty() ? Optional.empty() : withoutSecrets();
    }

    private Optional<Problem> withoutSecrets() {
        return unsupported("provisioner secrets. Use a class without cosi.io/provisioner-secret-name, and give the"
                + " driver its credentials in its own configuration");
    }

    private Optional<Problem> unsupported(String what) {
        return Optional.of(Problem.requiresChange(
                ProvisionerReason.INVALID_ARGUMENT.text(),
                "The driver speaks " + dialect + ", which has no field for " + what + "."));
    }
}
