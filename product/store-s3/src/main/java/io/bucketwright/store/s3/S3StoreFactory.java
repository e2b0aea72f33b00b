package io.bucketwright.store.s3;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.ContentsDeletion;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import io.bucketwright.store.s3.ceph.CephIdentity;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.iam.IamIdentity;
import io.bucketwright.store.s3.identity.SharedKeys;
import io.bucketwright.store.s3.minio.MinioIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Opens stores with the S3 API. The class parameter {@code identity} chooses how users and access keys are managed. */
public final class S3StoreFactory implements StoreFactory {

    @Override
    public String name() {
        return "s3";
    }

    @Override
    public ParameterSchema parameters() {
        return S3Parameters.schema();
    }

    @Override
    public Object location(Parameters parameters) {
        return S3Parameters.of(parameters).location();
    }

    @Override
    public Optional<Connection> connection(
            Parameters parameters, AdministratorSecret administrator, BucketName bucket) {
        return Optional.of(resolved(parameters, administrator).connection(bucket));
    }

    @Override
    public Map<String, String> implied(Parameters parameters) {
        return S3Parameters.of(parameters).implied();
    }

    private static S3Parameters resolved(Parameters parameters, AdministratorSecret administrator) {
        return S3Parameters.of(parameters)
                .resolved(
                        parameters,
                        administrator.find("Endpoint").map(SecretValue::reveal).orElse(""));
    }

    @Override
    public String issuer(Parameters parameters, AdministratorSecret administrator) {
        return S3Parameters.hasSharedKeys(parameters) ? SharedKeys.issuer(administrator) : "";
    }

    @Override
    public CompleteStore open(Parameters parameters, AdministratorSecret administrator) {
        return open(parameters, administrator, List.of());
    }

    CompleteStore open(
            Parameters parameters, AdministratorSecret administrator, List<ExecutionInterceptor> interceptors) {
        S3Parameters s3Parameters = resolved(parameters, administrator);
        AwsClients clients = new AwsClients(s3Parameters, administrator, interceptors);
        IdentitySource identity = switch (s3Parameters.identity()) {
            case IAM -> IdentitySource.of(IamIdentity.open(clients, s3Parameters));
            case MINIO -> IdentitySource.of(MinioIdentity.open(clients));
            case CEPH -> IdentitySource.of(CephIdentity.open(clients));
            case STATIC -> IdentitySource.of(SharedKeys.open(clients, administrator));
            case AUTO -> IdentitySource.detecting(clients, s3Parameters);
        };
        return new S3BucketStore(s3Parameters, identity, ContentsDeletion.SLICE);
    }
}
