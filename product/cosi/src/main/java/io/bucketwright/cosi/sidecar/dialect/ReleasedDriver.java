package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc.IdentityBlockingStub;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.Driver;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverInfo;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.EmptyAnswer;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.wire.AccountIds;
import io.bucketwright.runtime.controller.Problem;
import io.grpc.Channel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A driver that speaks {@code cosi.v1alpha1}, the released protocol. It issues ids for buckets and accounts, unless it says
 * otherwise ({@link AccountIds}). An order with a
 * part that the protocol cannot express is refused: without that part the driver would open a bucket, or grant more than
 * the class allows.
 */
public final class ReleasedDriver implements Driver {

    private final AccountIds ids = new AccountIds();
    private final DriverCalls<IdentityBlockingStub> identity;
    private final DriverCalls<ProvisionerBlockingStub> calls;

    public ReleasedDriver(Channel channel, CallSettings settings) {
        ReleasedErrors errors = new ReleasedErrors();
        this.identity = new DriverCalls<>(IdentityGrpc.newBlockingStub(ids.reading(channel)), settings, errors);
        this.calls = new DriverCalls<>(ProvisionerGrpc.newBlockingStub(channel), settings, errors);
    }

    @Override
    public String dialect() {
        return "cosi.v1alpha1";
    }

    @Override
    public boolean issuesIds() {
        return ids.areIssued();
    }

    @Override
    public DriverInfo info() {
        String name = identity.info(
                        "DriverGetInfo", stub -> stub.driverGetInfo(DriverGetInfoRequest.getDefaultInstance()))
                .getName();
        return new DriverInfo(name, EnumSet.allOf(Protocol.class));
    }

    @Override
    public DriverAnswer<CreatedBucket> create(DriverOrder.Create order, Supplier<Duration> permitted) {
        return unsupported(order)
                .<DriverAnswer<CreatedBucket>>map(DriverAnswer.Failed::new)
                .orElseGet(() -> calls.call(
                        DriverMethod.CREATE_BUCKET,
                        permitted,
                        DriverCreateBucketRequest.newBuilder()
                                .setName(order.bucket().name())
                                .putAllParameters(order.bucket().parameters())
                                .build(),
                        ProvisionerBlockingStub::driverCreateBucket,
                        response -> created(order, response)));
    }

    @Override
    public DriverAnswer<EmptyAnswer> delete(DriverOrder.Delete order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.DELETE_BUCKET,
                permitted,
                DriverDeleteBucketRequest.newBuilder()
                        .setBucketId(order.bucket().id())
                        .putAllDeleteContext(order.bucket().parameters())
                        .build(),
                ProvisionerBlockingStub::driverDeleteBucket);
    }

    @Override
    public DriverAnswer<GrantedAccess> grant(DriverOrder.Grant order, Supplier<Duration> permitted) {
        return unsupported(order)
                .<DriverAnswer<GrantedAccess>>map(DriverAnswer.Failed::new)
                .orElseGet(() -> calls.call(
                        DriverMethod.GRANT_ACCESS,
                        permitted,
                        DriverGrantBucketAccessRequest.newBuilder()
                                .setBucketId(order.bucket().id())
                                .setName(order.account().name())
                                .setAuthenticationType(
                                        authentication(order.account().authentication()))
                                .putAllParameters(order.account().parameters())
                                .build(),
                        ProvisionerBlockingStub::driverGrantBucketAccess,
                        response -> ReleasedAnswers.granted(order, response)));
    }

    @Override
    public DriverAnswer<EmptyAnswer> revoke(DriverOrder.Revoke order, Supplier<Duration> permitted) {
        return calls.remove(
                DriverMethod.REVOKE_ACCESS,
                permitted,
                DriverRevokeBucketAccessRequest.newBuilder()
                        .setBucketId(order.bucket().id())
                        .setAccountId(order.account().id())
                        .putAllRevokeAccessContext(order.account().parameters())
                        .build(),
                ProvisionerBlockingStub::driverRevokeBucketAccess);
    }

    private static Optional<Problem> unsupported(DriverOrder.Create order) {
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

    private static Optional<Problem> unsupported(DriverOrder.Grant order) {
        if (!order.account().actions().equals(PolicyActions.NONE)) {
            return unsupported("policyActions. Use an access class without them, and the driver's own parameters");
        }
        if (!order.account().serviceAccount().isEmpty()) {
            return unsupported("service accounts. Request a Secret with accessSecretName instead");
        }
        return order.secrets().isEmpty() ? Optional.empty() : withoutSecrets();
    }

    private static Optional<Problem> withoutSecrets() {
        return unsupported("provisioner secrets. Use a class without cosi.io/provisioner-secret-name, and give the"
                + " driver its credentials in its own configuration");
    }

    private static Optional<Problem> unsupported(String what) {
        return Optional.of(Problem.requiresChange(
                ProvisionerReason.INVALID_ARGUMENT.text(),
                "The driver speaks cosi.v1alpha1, which has no field for " + what + "."));
    }

    private static AuthenticationType authentication(AccountAuthentication requested) {
        return switch (requested) {
            case KEY -> AuthenticationType.Key;
            case IAM -> AuthenticationType.IAM;
            case UNKNOWN -> AuthenticationType.UnknownAuthenticationType;
        };
    }

    private static DriverAnswer<CreatedBucket> created(DriverOrder.Create order, DriverCreateBucketResponse response) {
        return response.getBucketId().isEmpty()
                ? DriverAnswer.invalidResponse("The response of the driver to DriverCreateBucket contains no bucket_id."
                        + " Fix the driver; the sidecar retries.")
                : new DriverAnswer.Done<>(new CreatedBucket(
                        Optional.of(response.getBucketId()),
                        ReleasedAnswers.connection(order.bucket().parameters(), response.getBucketInfo())));
    }
}
