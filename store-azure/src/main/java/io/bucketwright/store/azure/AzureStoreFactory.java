package io.bucketwright.store.azure;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.StoreProtocol;
import io.bucketwright.store.http.HttpTransport;
import io.bucketwright.store.http.Transport;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.security.SecureRandom;
import java.util.function.UnaryOperator;

/** Opens stores in a storage account of Azure Blob Storage. */
public final class AzureStoreFactory implements StoreFactory {

    @Override
    public String name() {
        return "azure";
    }

    @Override
    public StoreProtocol protocol() {
        return StoreProtocol.AZURE_BLOB;
    }

    @Override
    public ParameterSchema parameters() {
        return AzureParameters.schema();
    }

    @Override
    public Object location(Parameters parameters) {
        AzureParameters azure = AzureParameters.of(parameters);
        return new Location(azure.endpoint(), azure.account());
    }

    @Override
    public BucketStore open(Parameters parameters, AdministratorSecret administrator) {
        return open(parameters, administrator, UnaryOperator.identity());
    }

    BucketStore open(Parameters parameters, AdministratorSecret administrator, UnaryOperator<Transport> transport) {
        AzureParameters azure = AzureParameters.of(parameters);
        SharedKey key = new SharedKey(
                azure.account(), administrator.require("AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY", "accountKey"));
        BlobService service =
                new BlobService(azure.serviceUrl(), key, transport.apply(new HttpTransport(azure.connection())));
        return new AzureBucketStore(
                azure,
                new Containers(service),
                new ContainerContents(service),
                new PolicyPrincipals(key, azure.publicEndpoint().secure(), new SecureRandom()));
    }

    private record Location(Endpoint endpoint, String account) {}
}
