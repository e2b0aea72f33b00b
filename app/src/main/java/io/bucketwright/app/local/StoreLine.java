package io.bucketwright.app.local;

import io.bucketwright.local.stores.StoreAccess;

/** An object store in one line: where it is, and where its keys are. */
final class StoreLine {

    private StoreLine() {}

    static String of(StoreAccess store) {
        String users = store.endpoint().startsWith(store.iamEndpoint()) ? "" : ", IAM at " + store.iamEndpoint();
        String keys =
                store.credentialsFile().isEmpty() ? ", no authentication" : ", keys in " + store.credentialsFile();
        return store.endpoint() + users + keys;
    }
}
