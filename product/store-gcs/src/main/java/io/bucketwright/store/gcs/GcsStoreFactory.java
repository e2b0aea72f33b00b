package io.bucketwright.store.gcs;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.http.HttpTransport;
import io.bucketwright.store.http.Transport;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Opens stores of Google Cloud Storage. */
public final class GcsStoreFactory implements StoreFactory {

    @Override
    public String name() {
        return "gcs";
    }

    @Override
    public String protocol(Map<String, String> parameters) {
        return GcsParameters.HMAC.equals(parameters.get(GcsParameters.PRINCIPAL_KEYS)) ? "s3" : "gcs";
    }

    @Override
    public Map<String, String> protocolParameters() {
        return Map.of(GcsParameters.PRINCIPAL_KEYS, GcsParameters.SERVICE_ACCOUNT);
    }

    @Override
    public ParameterSchema parameters() {
        return GcsParameters.schema();
    }

    /** Names of buckets are unique in all projects. */
    @Override
    public Object location(Parameters parameters) {
        return GcsParameters.of(parameters).endpoint();
    }

    @Override
    public Optional<Connection> connection(
            Parameters parameters, AdministratorSecret administrator, BucketName bucket) {
        GcsParameters gcs = GcsParameters.of(parameters);
        String project = gcs.project().isEmpty() ? key(administrator).project() : gcs.project();
        return project.isEmpty()
                ? Optional.empty()
                : Optional.of(gcs.withProject(project).connection(bucket, true));
    }

    private static ServiceAccountFile key(AdministratorSecret administrator) {
        return ServiceAccountFile.parse(
                administrator.require("GOOGLE_SERVICE_ACCOUNT_JSON", "key.json", "serviceAccountJson"));
    }

    @Override
    public CompleteStore open(Parameters parameters, AdministratorSecret administrator) {
        GcsParameters gcs = GcsParameters.of(parameters);
        return open(parameters, administrator, new HttpTransport(gcs.connection()));
    }

    CompleteStore open(Parameters parameters, AdministratorSecret administrator, Transport transport) {
        GcsParameters gcs = GcsParameters.of(parameters);
        if (gcs.ambient()) {
            return GcsBucketStore.of(new GcsClient(transport, new TokenSource.Metadata(gcs.metadataEndpoint())), gcs);
        }
        ServiceAccountFile key = key(administrator);
        String project = gcs.project().isEmpty() ? key.project() : gcs.project();
        if (project.isEmpty()) {
            throw new Invalid("parameter project is missing, and the administrator's key does not name a project");
        }
        GcsParameters.checkProject(project);
        URI tokens = gcs.tokenEndpoint()
                .map(Endpoint::uri)
                .map(server -> URI.create(server + "/token"))
                .orElseGet(key::tokenUri);
        return GcsBucketStore.of(new GcsClient(transport, new TokenSource.Key(key, tokens)), gcs.withProject(project));
    }
}
