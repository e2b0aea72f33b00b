package io.bucketwright.store.azure;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import java.security.SecureRandom;
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
    final CompleteStore store;
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
        return store.provision(call(), provisionRequest(bucket, of, access));
    }

    final ProvisionedBucket grant(BucketOwner guest) {
        return store.grant(call(), grantRequest(bucket, guest));
    }

    static BucketOwner newOwner() {
        return new BucketOwner("azure-cluster", UUID.randomUUID().toString());
    }
}
