package io.bucketwright.store.azure;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.options.BucketOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** One container of each test on Azurite, the store, and what an administrator sees of it. */
@ExtendWith(Azurite.Provider.class)
abstract class AzureTestBase {

    final Azurite azurite;
    final AzuriteUnderTest administrator;
    final Containers containers;
    final BucketStore store;
    final BucketName bucket = BucketName.generate("azure", new SecureRandom());
    final BucketOwner owner = newOwner();

    AzureTestBase(Azurite azurite) {
        this.azurite = azurite;
        this.administrator = new AzuriteUnderTest(azurite);
        this.containers = new Containers(azurite.service());
        this.store = administrator.store();
    }

    @AfterEach
    final void cleanUp() {
        administrator.deleteBucket(bucket);
        store.close();
        containers.close();
    }

    final void editAcl(UnaryOperator<ContainerAcl> edit) {
        containers.change(call(), bucket, owner, lease -> {
            containers.putAcl(call(), lease, edit.apply(containers.acl(call(), bucket)));
            return true;
        });
    }

    final ContainerAcl acl() {
        return containers.acl(call(), bucket);
    }

    final ProvisionedBucket provision(BucketOwner of) {
        return provision(of, Access.readWrite());
    }

    final ProvisionedBucket provision(BucketOwner of, Access access) {
        return store.provision(
                call(), new ProvisionRequest(bucket, Naming.GIVEN, of, access, BucketOptions.unmanaged(), Set.of()));
    }

    final ProvisionedBucket grant(BucketOwner guest) {
        return store.grant(call(), new GrantRequest(bucket, guest, Access.readWrite(), Set.of()));
    }

    static BucketOwner newOwner() {
        return new BucketOwner("azure-cluster", UUID.randomUUID().toString());
    }

    static StoreCall call() {
        return StoreCall.within(Duration.ofMinutes(1));
    }
}
