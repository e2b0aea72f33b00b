package io.bucketwright.store.s3.iam;

import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.IamParameters;
import io.bucketwright.store.s3.identity.AdministratorClient;
import io.bucketwright.store.s3.identity.BucketQuotas;
import io.bucketwright.store.s3.identity.Identity;
import java.util.Set;

/** Opens the {@link Identity} of a store with the AWS IAM API. */
public final class IamIdentity {

    private IamIdentity() {}

    public static Identity open(AwsClients clients, IamParameters parameters) {
        return new Identity(
                new IamPrincipals(clients.iam(), parameters),
                new AdministratorClient(clients.s3()),
                BucketQuotas.unsupported(),
                Set.of(Capability.QUOTA));
    }
}
