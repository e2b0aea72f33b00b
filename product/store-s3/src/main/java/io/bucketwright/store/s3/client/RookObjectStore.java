package io.bucketwright.store.s3.client;

import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.Parameters;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An object store that Rook runs in the cluster: the two parameters of a StorageClass for Rook's provisioner.
 *
 * @param name the name of the CephObjectStore
 */
public record RookObjectStore(String name, String namespace) {

    private static final String NAME = "objectStoreName";
    private static final String NAMESPACE = "objectStoreNamespace";

    private static final Pattern SHAPE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final String EXPECTED = "a name of lower case letters, digits and hyphens";

    static List<Parameter> parameters() {
        return List.of(
                Parameter.optional(
                                NAME,
                                "The CephObjectStore of Rook whose gateway is the store. Replaces `endpoint` and sets"
                                        + " `identity: ceph`; the administrator is Rook's user `bucketwright` of that store,"
                                        + " unless secretName is set.")
                        .matching(SHAPE, EXPECTED)
                        .connection(),
                Parameter.optional(NAMESPACE, "The namespace of that CephObjectStore.")
                        .matching(SHAPE, EXPECTED)
                        .connection());
    }

    /** @throws Invalid if only one of the two parameters is set */
    static Optional<RookObjectStore> of(Parameters parameters) {
        Optional<String> name = parameters.find(NAME);
        Optional<String> namespace = parameters.find(NAMESPACE);
        if (name.isPresent() != namespace.isPresent()) {
            throw new Invalid("parameters " + NAME + " and " + NAMESPACE + " must be set together or not at all");
        }
        return name.map(found -> new RookObjectStore(found, namespace.orElseThrow()));
    }

    /** The Service that Rook creates, if it has the default port. The Secret of a user has the actual endpoint. */
    Endpoint service() {
        return Endpoint.parse("http://rook-ceph-rgw-" + name + "." + namespace + ".svc");
    }
}
