package io.bucketwright.store.gcs;

import static io.bucketwright.store.contract.StoreRequests.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.Progress;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.CrashingTransport;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.StoreUnderTest;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.http.HttpTransport;
import io.bucketwright.store.http.Transport;
import io.bucketwright.store.http.TransportSettings;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.testing.gcs.GcsServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Gives tests access to the strict server: through the store, as an application and as the administrator. */
final class StrictStore implements StoreUnderTest {

    private final GcsServer server;
    private final Map<String, String> parameters;
    private final Endpoint endpoint;
    private final GcsClient client;
    private final GcsStoreFactory factory = new GcsStoreFactory();

    StrictStore(GcsServer server, Map<String, String> more) {
        this.server = server;
        this.parameters = new HashMap<>(server.parameters());
        parameters.putAll(more);
        this.endpoint = Endpoint.parse(server.endpoint());
        ServiceAccountFile key = ServiceAccountFile.parse(SecretValue.of(server.administratorKey()));
        this.client = new GcsClient(transport(endpoint), new TokenSource.Key(key, key.tokenUri()));
    }

    Map<String, String> parameters() {
        return Map.copyOf(parameters);
    }

    @Override
    public CompleteStore store() {
        return factory.open(factory.parameters().parse(parameters), administrator());
    }

    CompleteStore store(Transport transport) {
        return factory.open(factory.parameters().parse(parameters), administrator(), transport);
    }

    /** A store with other parameters. */
    CompleteStore store(Map<String, String> changed) {
        Map<String, String> all = new HashMap<>(parameters);
        all.putAll(changed);
        return new StrictStore(server, all).store();
    }

    HttpTransport transport() {
        return transport(endpoint);
    }

    static HttpTransport transport(Endpoint server) {
        return new HttpTransport(
                new TransportSettings(server, Set.of(), "", "", Duration.ofSeconds(2), Duration.ofSeconds(5)));
    }

    AdministratorSecret administrator() {
        return secret(server.administratorKey());
    }

    static AdministratorSecret secret(String key) {
        return new AdministratorSecret(Map.of("GOOGLE_SERVICE_ACCOUNT_JSON", SecretValue.of(key)));
    }

    /** A key that another server issued for an account of the same name. */
    @Override
    public CompleteStore storeWithInvalidCredentials() {
        try (GcsServer other = GcsServer.start()) {
            return factory.open(
                    factory.parameters().parse(parameters),
                    secret(other.administratorKey().replace(other.endpoint(), server.endpoint())));
        }
    }

    @Override
    public Optional<BucketStore> storeAt(String address) {
        return Optional.of(store(Map.of("endpoint", address, "iamEndpoint", address, "requestTimeout", "60s")));
    }

    @Override
    public boolean verifiesPrincipals() {
        return true;
    }

    @Override
    public Optional<BucketStore> storeFailingAfter(int requests) {
        return Optional.of(store(new CrashingTransport(transport(), requests)));
    }

    @Override
    public ObjectClient application(ProvisionedBucket bucket) {
        return bucket.credentials().values().containsKey("GOOGLE_SERVICE_ACCOUNT_JSON")
                ? new TokenApplication(bucket)
                : new HmacApplication(bucket);
    }

    @Override
    public Optional<ObjectClient> anonymous(BucketName bucket) {
        return Optional.of(new AnonymousApplication(server.endpoint(), bucket));
    }

    @Override
    public void createBucket(BucketName bucket) {
        ObjectNode resource = JsonNodeFactory.instance.objectNode().put("name", bucket.text());
        resource.withObject("/iamConfiguration/uniformBucketLevelAccess").put("enabled", true);
        createBucket(resource);
    }

    void createBucket(ObjectNode resource) {
        send(ApiRequest.of("create a bucket", "POST", endpoint, "/storage/v1/b")
                .with("project", GcsServer.PROJECT)
                .with(resource));
    }

    @Override
    public void deleteBucket(BucketName bucket) {
        try {
            BucketContents contents = new BucketContents(client, endpoint);
            while (contents.deleteSlice(call(), bucket) instanceof Progress.More) {
                // Continue until the bucket is empty.
            }
            send(ApiRequest.of("delete a bucket", "DELETE", endpoint, Buckets.path(bucket)));
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        }
    }

    @Override
    public boolean bucketExists(BucketName bucket) {
        try {
            JsonNode _ = resource(bucket);
            return true;
        } catch (NotFound absent) {
            return false;
        }
    }

    @Override
    public Map<String, String> tags(BucketName bucket) {
        return Labels.tags(new BucketState(bucket, resource(bucket)).labels());
    }

    @Override
    public void addTag(BucketName bucket, String key, String value) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("labels").put(key, value);
        change(bucket, patch);
    }

    void change(BucketName bucket, ObjectNode patch) {
        send(ApiRequest.of("change a bucket", "PATCH", endpoint, Buckets.path(bucket))
                .with(patch));
    }

    @Override
    public boolean addVersionsAndUploads(BucketName bucket) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("versioning").put("enabled", true);
        change(bucket, patch);
        for (String text : List.of("first", "second")) {
            put(bucket, "folder/versions", text);
        }
        send(ApiRequest.of("delete", "DELETE", endpoint, Buckets.path(bucket) + "/o/folder%2Fversions"));
        server.addUpload(bucket.text(), "incomplete & <unfinished>");
        return true;
    }

    void put(BucketName bucket, String key, String text) {
        send(ApiRequest.of("put", "POST", endpoint, "/upload" + Buckets.path(bucket) + "/o")
                .with("uploadType", "media")
                .with("name", key)
                .with(JsonNodeFactory.instance.textNode(text)));
    }

    @Override
    public boolean locksObjects() {
        return false;
    }

    @Override
    public Optional<Boolean> isSet(BucketName bucket, BucketOption option) {
        JsonNode resource = resource(bucket);
        return switch (option) {
            case Versioning _ ->
                Optional.of(resource.path("versioning").path("enabled").asBoolean(false));
            case Tags tags ->
                Optional.of(tags(bucket).entrySet().containsAll(tags.tags().entrySet()));
            case Cors _ ->
                Optional.of(resource.path("cors")
                        .path(0)
                        .path("method")
                        .path(0)
                        .asText("")
                        .equals("GET"));
            case ObjectLock _ -> Optional.of(resource.has("retentionPolicy"));
            case Lifecycle _ ->
                Optional.of(resource.path("lifecycle")
                                .path("rule")
                                .path(0)
                                .path("condition")
                                .path("age")
                                .asInt()
                        == 30);
            case AnonymousAccess _ ->
                Optional.of(server.bindings(bucket.text()).contains("allUsers")
                        && !new BucketState(bucket, resource).preventsPublicAccess());
            default -> throw new AssertionError("the store supports no " + option);
        };
    }

    JsonNode resource(BucketName bucket) {
        return send(ApiRequest.of("read a bucket", "GET", endpoint, Buckets.path(bucket)));
    }

    JsonNode send(ApiRequest request) {
        return client.send(call(), request);
    }
}
