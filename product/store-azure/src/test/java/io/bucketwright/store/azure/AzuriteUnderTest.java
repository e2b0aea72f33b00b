package io.bucketwright.store.azure;

import static io.bucketwright.store.contract.StoreRequests.call;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.CrashingTransport;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.StoreUnderTest;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.Tags;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Gives the conformance tests access to Azurite. */
final class AzuriteUnderTest implements StoreUnderTest {

    private static final BucketOwner ADMINISTRATOR = new BucketOwner("tests", "administrator");

    private final Azurite azurite;
    private final BlobService service;
    private final Containers containers;
    private final AzureStoreFactory factory = new AzureStoreFactory();

    AzuriteUnderTest(Azurite azurite) {
        this.azurite = azurite;
        this.service = azurite.service();
        this.containers = new Containers(service);
    }

    @Override
    public CompleteStore store() {
        return open(azurite.parameters(), azurite.administrator());
    }

    @Override
    public CompleteStore storeWithInvalidCredentials() {
        String wrong = Base64.getEncoder().encodeToString("not the key".getBytes(StandardCharsets.UTF_8));
        return open(azurite.parameters(), Azurite.secret(wrong));
    }

    @Override
    public Optional<BucketStore> storeAt(String endpoint) {
        Map<String, String> parameters = new HashMap<>(azurite.parameters());
        parameters.putAll(Map.of("endpoint", endpoint, "requestTimeout", "60s"));
        return Optional.of(open(parameters, azurite.administrator()));
    }

    @Override
    public boolean verifiesPrincipals() {
        return true;
    }

    @Override
    public Optional<BucketStore> storeFailingAfter(int requests) {
        return Optional.of(factory.open(
                factory.parameters().parse(azurite.parameters()),
                azurite.administrator(),
                transport -> new CrashingTransport(transport, requests)));
    }

    @Override
    public ObjectClient application(ProvisionedBucket bucket) {
        return new AzureApplication(bucket);
    }

    @Override
    public Optional<ObjectClient> anonymous(BucketName bucket) {
        return Optional.of(new AzureApplication(service.serviceUrl(), bucket));
    }

    /** Anonymous clients of Azure can only read. */
    @Override
    public Set<AnonymousAccess> anonymousModes() {
        return Set.of(AnonymousAccess.READ_ONLY);
    }

    @Override
    public void createBucket(BucketName bucket) {
        containers.create(call(), bucket, Map.of());
    }

    @Override
    public void deleteBucket(BucketName bucket) {
        try {
            service.send(call(), BlobRequest.container("delete the container", "DELETE", bucket));
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        }
    }

    @Override
    public boolean bucketExists(BucketName bucket) {
        return containers.ownership(call(), bucket).isPresent();
    }

    @Override
    public Map<String, String> tags(BucketName bucket) {
        return containers.tags(call(), bucket);
    }

    @Override
    public void addTag(BucketName bucket, String key, String value) {
        containers.change(call(), bucket, ADMINISTRATOR, lease -> {
            Map<String, String> tags = new TreeMap<>(containers.tags(call(), bucket));
            tags.put(key, value);
            containers.putTags(call(), lease, tags);
            return true;
        });
    }

    /** A snapshot, and blocks that were uploaded and not committed. */
    @Override
    public boolean addVersionsAndUploads(BucketName bucket) {
        service.send(
                call(),
                BlobRequest.blob("put a blob", "PUT", bucket, "folder/with space")
                        .header("x-ms-blob-type", "BlockBlob")
                        .body("first"));
        service.send(
                call(),
                BlobRequest.blob("take a snapshot", "PUT", bucket, "folder/with space")
                        .query("comp", "snapshot"));
        service.send(
                call(),
                BlobRequest.blob("put a block", "PUT", bucket, "incomplete")
                        .query("comp", "block")
                        .query("blockid", "AAAA")
                        .body("block"));
        return true;
    }

    @Override
    public Optional<Boolean> isSet(BucketName bucket, BucketOption option) {
        return switch (option) {
            case Tags tags ->
                Optional.of(tags(bucket).entrySet().containsAll(tags.tags().entrySet()));
            case AnonymousAccess _ ->
                Optional.of(containers.acl(call(), bucket).publicAccess().equals("container"));
            default -> Optional.empty();
        };
    }

    private CompleteStore open(Map<String, String> parameters, AdministratorSecret administrator) {
        return factory.open(factory.parameters().parse(parameters), administrator);
    }
}
