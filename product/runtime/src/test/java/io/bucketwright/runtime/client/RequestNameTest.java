package io.bucketwright.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestNameTest {

    @ParameterizedTest(name = "{0} {1} is {2} {3}")
    @CsvSource({
        "GET,    /api/v1/namespaces/ns/configmaps/a,                          get,              configmaps",
        "GET,    /api/v1/namespaces/ns/configmaps,                            list,             configmaps",
        "GET,    /api/v1/configmaps?limit=500,                                list,             configmaps",
        "GET,    /api/v1/configmaps?resourceVersion=7&watch=true,             watch,            configmaps",
        "GET,    /apis/storage.k8s.io/v1/storageclasses/fast,                 get,              storageclasses",
        "POST,   /apis/objectbucket.io/v1alpha1/objectbuckets,                create,           objectbuckets",
        "PATCH,  /apis/objectbucket.io/v1alpha1/namespaces/n/objectbucketclaims/c/status, patch, objectbucketclaims/status",
        "PUT,    /apis/coordination.k8s.io/v1/namespaces/n/leases/l,          update,           leases",
        "DELETE, /api/v1/namespaces/ns/secrets/s,                             delete,           secrets",
        "DELETE, /api/v1/namespaces/ns/secrets,                               deletecollection, secrets",
        "GET,    /api/v1/namespaces/ns,                                       get,              namespaces",
        "PUT,    /api/v1/namespaces/ns/finalize,                              update,           namespaces/finalize",
        "GET,    /api/v1/namespaces,                                          list,             namespaces",
        "GET,    /readyz,                                                     get,              none",
        "GET,    /version,                                                    get,              none",
        "GET,    /api/v1/namespaces/ns/pods/p/log,                            get,              pods/log",
        "PATCH,  /apis/objectbucket.io/v1alpha1/namespaces/api/objectbucketclaims/photos/status, patch, objectbucketclaims/status",
        "GET,    /apis/objectbucket.io/v1alpha1/namespaces/apis/objectbucketclaims?watch=true, watch, objectbucketclaims",
        "GET,    /api/v1/namespaces/apis/secrets/api,                         get,              secrets",
        "GET,    /api/v1/namespaces/api/secrets/apis,                         get,              secrets",
    })
    void equalsTheNameInTheAuditLog(String method, String uri, String verb, String resource) {
        for (String root : List.of("", "/k8s/clusters/c-1", "/api/v1/proxy", "/apis/")) {
            assertThat(RequestName.of(method, URI.create("https://server:6443" + root + uri), root))
                    .as(root)
                    .isEqualTo(new RequestName(verb, resource));
        }
    }

    @ParameterizedTest(name = "{0} changes something: {1}")
    @CsvSource({"get,false", "list,false", "watch,false", "create,true", "update,true", "patch,true", "delete,true"})
    void distinguishesReadsAndWrites(String verb, boolean changes) {
        assertThat(new RequestName(verb, "pods").changes()).isEqualTo(changes);
    }
}
