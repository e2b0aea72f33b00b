package io.bucketwright.store.s3.iam;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.client.StoreRequest;
import io.bucketwright.store.s3.identity.AdministratorClient;
import io.bucketwright.store.s3.identity.BucketQuotas;
import io.bucketwright.store.s3.identity.Identity;
import java.util.Set;
import software.amazon.awssdk.services.iam.IamClient;

/** Opens the {@link Identity} of a store with the AWS IAM API. */
public final class IamIdentity {

    private IamIdentity() {}

    /** Whether the IAM endpoint serves the AWS IAM API. */
    public static boolean isServed(StoreCall call, AwsClients clients) {
        try (IamClient iam = clients.iam()) {
            StoreRequest.send(
                    call,
                    "read the tags of a user",
                    () -> iam.listUserTags(request -> request.userName("bucketwright-detection")));
            return true;
        } catch (NotFound noSuchUser) {
            return true;
        } catch (Unsupported other) {
            return false;
        }
    }

    public static Identity open(AwsClients clients, S3Parameters parameters) {
        return new Identity(
                new IamPrincipals(
                        clients.iam(),
                        parameters.iam(),
                        parameters.bucketDefaults().kmsKey(),
                        new KeyPropagation(clients, parameters.iam().keyPropagation())),
                new AdministratorClient(clients.s3()),
                BucketQuotas.unsupported(),
                Set.of(Capability.QUOTA, Capability.BUCKET_OWNER));
    }
}
