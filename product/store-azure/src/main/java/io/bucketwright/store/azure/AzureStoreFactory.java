package io.bucketwright.store.azure;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.http.HttpTransport;
import io.bucketwright.store.http.Transport;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Opens stores in a storage account of Azure Blob Storage. */
public final class AzureStoreFactory implements StoreFactory {

    private static final String[] KEYS = {"AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY", "accountKey"};

    @Override
    public String name() {
        return "azure";
    }

    @Override
    public String protocol(Map<String, String> parameters) {
        return "azureBlob";
    }

    @Override
    public ParameterSchema parameters() {
        return AzureParameters.schema();
    }

    @Override
    public Object location(Parameters parameters) {
        AzureParameters azure = AzureParameters.of(parameters);
        return azure.endpoint() + "/" + azure.account();
    }

    @Override
    public Optional<Connection> connection(
            Parameters parameters, AdministratorSecret administrator, BucketName bucket) {
        return Optional.of(AzureParameters.of(parameters).connection(bucket));
    }

    /** The account key signs all tokens. When it is regenerated, they end. */
    @Override
    public String issuer(Parameters parameters, AdministratorSecret administrator) {
        return Stream.of(KEYS)
                .filter(key -> administrator.find(key).isPresent())
                .findFirst()
                .map(administrator::digest)
                .orElse("");
    }

    @Override
    public CompleteStore open(Parameters parameters, AdministratorSecret administrator) {
        return open(parameters, administrator, UnaryOperator.identity());
    }

    CompleteStore open(Parameters parameters, AdministratorSecret administrator, UnaryOperator<Transport> transport) {
        AzureParameters azure = AzureParameters.of(parameters);
        SharedKey key = new SharedKey(azure.account(), administrator.require(KEYS));
        BlobService service =
                new BlobService(azure.serviceUrl(), key, transport.apply(new HttpTransport(azure.connection())));
        return new AzureBucketStore(
                azure,
                new Containers(service),
                new ContainerContents(service),
                new PolicyPrincipals(key, azure.publicEndpoint().secure(), new SecureRandom()));
    }
}
