package io.bucketwright.devtools.local;

import io.bucketwright.local.stores.StoreAccess;

/** An object store in one line: where it is, and where its keys are. */
final class StoreLine {

    private StoreLine() {}

    static String of(StoreAccess store) {
        String users = store.endpoint().startsWith(store.iamEndpoint()) ? "" : ", IAM at " + store.iamEndpoint();
        String keys =
                store.credentialsFile().isEmpty() ? ", no authentication" : ", keys in " + store.credentialsFile();
        // Azurite has the account in the path; a class has it in a parameter of its own.
        boolean account = store.endpoint().equals(store.iamEndpoint() + "/" + store.accessKeyId());
        String place = account ? store.iamEndpoint() + ", storage account " + store.accessKeyId() : store.endpoint();
        return place + users + keys;
    }
}
