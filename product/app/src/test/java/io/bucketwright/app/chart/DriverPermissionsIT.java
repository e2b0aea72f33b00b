package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.api.Crds;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the service account of a driver of the released kinds can do, and what not, with the manifests and with the chart. */
@OnCluster(own = true)
class DriverPermissionsIT {

    private static final String DRIVER = "s3.example.com";
    private static final String KINDS = "/apis/objectstorage.k8s.io/v1alpha1";
    private static final String BUCKETS = KINDS + "/buckets";
    private static final String TEAM = "/namespaces/team";
    private static final String CLAIMS = KINDS + TEAM + "/bucketclaims";
    private static final String ACCESSES = KINDS + TEAM + "/bucketaccesses";
    private static final String SECRETS = "/api/v1" + TEAM + "/secrets";
    private static final String PROTECTED = "\"finalizers\": [\"" + ReleasedNames.SECRET_FINALIZER + "\"]";

    /** Objects of two drivers and of others. */
    private static final String OBJECTS = """
            {apiVersion: v1, kind: Namespace, metadata: {name: team}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: other-team}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketClass, metadata: {name: own},
             driverName: S3.example.com, deletionPolicy: Delete}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketClass, metadata: {name: foreign},
             driverName: other.example.com, deletionPolicy: Delete}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketAccessClass, metadata: {name: own},
             driverName: s3.example.com, authenticationType: Key}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketAccessClass, metadata: {name: foreign},
             driverName: other.example.com, authenticationType: Key}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: Bucket,
             metadata: {name: own, finalizers: [example.com/kept], annotations: {example.com/kept: "yes"}},
             spec: {driverName: S3.Example.com, bucketClassName: own, bucketClaim: {}, protocols: [S3],
              existingBucketID: "", parameters: {}}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: Bucket,
             metadata: {name: foreign, finalizers: [cosi.objectstorage.k8s.io/bucket-protection]},
             spec: {driverName: other.example.com, bucketClassName: foreign, bucketClaim: {}, protocols: [S3]}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketClaim,
             metadata: {name: own, namespace: team, finalizers: [cosi.objectstorage.k8s.io/bucketclaim-protection]},
             spec: {bucketClassName: own, protocols: [S3]}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketClaim,
             metadata: {name: foreign, namespace: team, finalizers: [cosi.objectstorage.k8s.io/bucketclaim-protection]},
             spec: {bucketClassName: foreign, protocols: [S3]}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketAccess, metadata: {name: own, namespace: team},
             spec: {bucketClaimName: own, bucketAccessClassName: own, credentialsSecretName: own, protocol: ""}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketAccess,
             metadata: {name: foreign, namespace: team, finalizers: [cosi.objectstorage.k8s.io/bucketaccess-protection]},
             spec: {bucketClaimName: foreign, bucketAccessClassName: foreign, credentialsSecretName: foreign}}
            ---
            {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketAccess,
             metadata: {name: recorded, namespace: team, annotations: {bucketwright.io/cosi-driver: other.example.com}},
             spec: {bucketClaimName: own, bucketAccessClassName: own, credentialsSecretName: recorded}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: application, namespace: team}, stringData: {password: x}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: imitated, namespace: team},
             stringData: {BucketInfo: "anything"}}
            ---
            {apiVersion: v1, kind: Secret,
             metadata: {name: foreign, namespace: team, finalizers: [cosi.objectstorage.k8s.io/secret-protection],
              annotations: {bucketwright.io/cosi-driver: other.example.com}},
             stringData: {BucketInfo: '{"metadata":{"name":"bc-2"}}'}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: token, namespace: kube-system}, stringData: {token: x}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: application, namespace: other-team}, stringData: {a: x}}
            """;

    @TempDir
    private Path folder;

    @Test
    void withTheManifestsTheAccountOfADriverCanDoOnlyWhatThatDriverNeeds(TestCluster cluster) throws IOException {
        String yaml = Files.readString(Path.of("../../deploy/cosi-released-sidecar-rbac.yaml"))
                .replace("driver.example.com", DRIVER)
                .replace("driver-example-com", "s3-example-com");
        prepare(cluster);
        apply(cluster, new RenderedChart(yaml).objects());
        cluster.kubectl(
                "create",
                "rolebinding",
                "bucketwright-cosi-secrets",
                "--namespace=team",
                "--clusterrole=bucketwright-cosi-released-sidecar-secrets",
                "--serviceaccount=bucketwright-cosi:cosi-released-sidecar");
        check(cluster, "bucketwright-cosi", "cosi-released-sidecar");
    }

    @Test
    void withTheChartTheAccountOfADriverCanDoOnlyWhatThatDriverNeeds(TestCluster cluster) throws IOException {
        List<HasMetadata> objects = RenderedChart.of(Map.of(
                        "crds",
                        RenderedChart.NO_CRDS,
                        "monitoring",
                        Map.of("service", false),
                        "drivers",
                        List.of(Map.of("name", DRIVER, "namespaces", List.of("team")))))
                .objects();
        prepare(cluster);
        cluster.createNamespace(RenderedChart.RELEASE);
        apply(
                cluster,
                objects.stream()
                        .filter(object -> object instanceof ServiceAccount
                                || object.getApiVersion().startsWith("rbac.")
                                || object.getApiVersion().startsWith("admissionregistration."))
                        .toList());
        String account = RenderedChart.only(objects, Deployment.class).stream()
                .map(deployment -> deployment.getSpec().getTemplate().getSpec().getServiceAccountName())
                .filter(name -> name.contains("-driver-"))
                .findFirst()
                .orElseThrow();
        check(cluster, RenderedChart.RELEASE, account);
    }

    private void prepare(TestCluster cluster) throws IOException {
        cluster.install(Crds.released());
        String file = Files.writeString(folder.resolve("objects.yaml"), OBJECTS).toString();
        // Each object has its own namespace, or none.
        assertThat(cluster.kubectl("apply", "--namespace=", "--server-side", "--force-conflicts", "--filename=" + file))
                .doesNotContain("rror");
    }

    private static void apply(TestCluster cluster, List<HasMetadata> objects) {
        objects.forEach(
                object -> cluster.admin().resource(object).forceConflicts().serverSideApply());
    }

    private void check(TestCluster cluster, String namespace, String name) {
        DriverAccount account = new DriverAccount(cluster, "system:serviceaccount:" + namespace + ":" + name, folder);
        cluster.admin()
                .load(new ByteArrayInputStream("""
                        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                         "metadata": {"name": "bucketwright-buckets", "namespace": "%s"}, "spec": {}}
                        """.formatted(namespace).getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(lease -> cluster.admin().resource(lease).serverSideApply());
        // Roles and policies take effect some time after they were written.
        Eventually.await("the policies to be enforced")
                .until(() -> Stream.of(BUCKETS, CLAIMS, ACCESSES, SECRETS)
                        .map(kind -> account.put(kind + "/foreign", it -> annotate(it, "bucketwright.io/probe")))
                        .allMatch(answer -> answer.contains("ValidatingAdmissionPolicy")));
        Map<String, String> answers = forbidden(account, namespace);
        assertThat(answers).hasSizeGreaterThanOrEqualTo(30);
        assertThat(answers)
                .allSatisfy((what, answer) -> assertThat(answer).as(what).matches(text -> isRefused(text)));
        permitted(account, namespace)
                .forEach((what, answer) -> assertThat(answer)
                        .as(what)
                        .doesNotContain("Error from server")
                        .doesNotContain("error:"));
    }

    private static boolean isRefused(String answer) {
        return answer.startsWith("Error from server (Forbidden)");
    }

    /** What whoever has the token of the driver tries, and the answers. */
    private static Map<String, String> forbidden(DriverAccount account, String namespace) {
        Map<String, String> tried = new LinkedHashMap<>();
        buckets(account, tried);
        accesses(account, tried);
        claims(account, tried);
        secrets(account, tried);
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        tried.put(
                "take a controller's Lease",
                account.put(
                        leases + "/bucketwright-buckets",
                        lease -> lease.withObject("/spec").put("holderIdentity", "me")));
        tried.put("make a token", account.create("/api/v1/namespaces/kube-system/serviceaccounts/default/token", """
                {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}"""));
        tried.put("read the credentials of a store", account.get("/api/v1/namespaces/" + namespace + "/secrets/store"));
        tried.put("read ConfigMaps", account.get("/api/v1" + TEAM + "/configmaps"));
        tried.put("change a class", account.put(KINDS + "/bucketaccessclasses/own", it -> it.put("driverName", "x")));
        return tried;
    }

    private static void buckets(DriverAccount account, Map<String, String> tried) {
        String own = BUCKETS + "/own";
        String foreign = BUCKETS + "/foreign";
        tried.put(
                "remove the finalizer of another Bucket",
                account.put(foreign, it -> DriverAccount.metadata(it).remove("finalizers")));
        tried.put("write the record of another Bucket", account.put(foreign, it -> annotate(it, "bucketwright.io/x")));
        tried.put("write the status of another Bucket", account.putStatus(foreign, "{\"bucketID\": \"own\"}"));
        tried.put("take another Bucket", account.put(foreign, it -> spec(it, "driverName", DRIVER)));
        tried.put("change the policy of a Bucket", account.put(own, it -> spec(it, "deletionPolicy", "Delete")));
        tried.put("give a Bucket away", account.put(own, it -> spec(it, "driverName", "other.example.com")));
        tried.put(
                "drop an empty field",
                account.put(own, it -> it.withObject("/spec").remove("existingBucketID")));
        tried.put("remove the spec of a Bucket", account.put(own, it -> it.remove("spec")));
        tried.put("write an annotation of somebody else", account.put(own, it -> annotate(it, "example.com/x")));
        tried.put(
                "remove an annotation of somebody else",
                account.put(own, it -> DriverAccount.metadata(it).remove("annotations")));
        tried.put(
                "confirm a deletion for the administrator",
                account.put(own, it -> annotate(it, ReleasedNames.DELETE_EXISTING_BUCKET)));
        for (String word : List.of("bucketwright.io/use-restored", "bucketwright.io/deleted-accounts")) {
            tried.put("write " + word, account.put(own, it -> annotate(it, word)));
        }
        tried.put(
                "remove a finalizer of somebody else",
                account.put(own, it -> DriverAccount.metadata(it).remove("finalizers")));
        tried.put(
                "label a Bucket",
                account.put(
                        own,
                        it -> DriverAccount.metadata(it).withObject("/labels").put("x", "y")));
        tried.put(
                "give a Bucket an owner",
                account.put(
                        own,
                        it -> DriverAccount.metadata(it)
                                .withArray("/ownerReferences")
                                .addObject()
                                .put("apiVersion", "v1")
                                .put("kind", "Namespace")
                                .put("name", "team")
                                .put("uid", "1")));
        tried.put("create a Bucket", account.create(BUCKETS, """
                {"apiVersion": "objectstorage.k8s.io/v1alpha1", "kind": "Bucket", "metadata": {"name": "new"},
                 "spec": {"driverName": "%s", "bucketClassName": "own", "bucketClaim": {}, "protocols": []}}
                """.formatted(DRIVER)));
        tried.put("delete a Bucket", account.delete(own));
        tried.put("delete another Bucket", account.delete(foreign));
    }

    private static void accesses(DriverAccount account, Map<String, String> tried) {
        String own = ACCESSES + "/own";
        String foreign = ACCESSES + "/foreign";
        String recorded = ACCESSES + "/recorded";
        tried.put(
                "remove the finalizer of another access",
                account.put(foreign, it -> DriverAccount.metadata(it).remove("finalizers")));
        tried.put("record another access", account.put(foreign, it -> annotate(it, ReleasedNames.DRIVER, DRIVER)));
        tried.put("write the account of another access", account.putStatus(foreign, "{\"accountID\": \"x\"}"));
        tried.put("delete another access", account.delete(foreign));
        tried.put("write the account of a recorded access", account.putStatus(recorded, "{\"accountID\": \"x\"}"));
        tried.put("take a recorded access", account.put(recorded, it -> annotate(it, ReleasedNames.DRIVER, DRIVER)));
        tried.put("delete a recorded access", account.delete(recorded));
        tried.put("change the Secret of an access", account.put(own, it -> spec(it, "credentialsSecretName", "x")));
        tried.put("remove the spec of an access", account.put(own, it -> it.remove("spec")));
        tried.put(
                "record another driver",
                account.put(own, it -> annotate(it, ReleasedNames.DRIVER, "other.example.com")));
        tried.put("create an access", account.create(ACCESSES, """
                {"apiVersion": "objectstorage.k8s.io/v1alpha1", "kind": "BucketAccess", "metadata": {"name": "new"},
                 "spec": {"bucketClaimName": "own", "bucketAccessClassName": "own", "credentialsSecretName": "new"}}
                """));
    }

    private static void claims(DriverAccount account, Map<String, String> tried) {
        tried.put("report another claim as ready", account.putStatus(CLAIMS + "/foreign", """
                {"bucketReady": true, "bucketName": "own"}"""));
        tried.put(
                "remove the finalizer of another claim",
                account.put(
                        CLAIMS + "/foreign", it -> DriverAccount.metadata(it).remove("finalizers")));
        tried.put("change a claim", account.put(CLAIMS + "/own", it -> spec(it, "existingBucketName", "foreign")));
        tried.put("delete a claim", account.delete(CLAIMS + "/own"));
    }

    private static void secrets(DriverAccount account, Map<String, String> tried) {
        tried.put("list Secrets", account.get(SECRETS));
        tried.put("watch Secrets", account.get(SECRETS + "?watch=1&timeoutSeconds=1"));
        tried.put("read a Secret of kube-system", account.get("/api/v1/namespaces/kube-system/secrets/token"));
        tried.put("read a Secret elsewhere", account.get("/api/v1/namespaces/other-team/secrets/application"));
        tried.put(
                "write a Secret elsewhere", account.create("/api/v1/namespaces/other-team/secrets", secret("x", "1")));
        tried.put(
                "overwrite a Secret of an application",
                account.put(
                        SECRETS + "/application", it -> it.withObject("/data").put("password", "eA==")));
        tried.put("delete a Secret of an application", account.delete(SECRETS + "/application"));
        tried.put(
                "overwrite an imitated Secret",
                account.put(SECRETS + "/imitated", it -> it.withObject("/data").put("BucketInfo", "eA==")));
        tried.put("delete an imitated Secret", account.delete(SECRETS + "/imitated"));
        tried.put(
                "overwrite the Secret of another driver",
                account.put(SECRETS + "/foreign", it -> it.withObject("/data").put("BucketInfo", "eA==")));
        tried.put("delete the Secret of another driver", account.delete(SECRETS + "/foreign"));
        tried.put("create a Secret with other keys", account.create(SECRETS, """
                {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "new", %s}, "data": {"config.json": "eA=="}}
                """.formatted(PROTECTED)));
        tried.put("create a token of a service account", account.create(SECRETS, """
                {"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/service-account-token",
                 "metadata": {"name": "new", %s, "annotations": {"kubernetes.io/service-account.name": "default"}}}
                """.formatted(PROTECTED)));
        tried.put("create a Secret without the finalizer", account.create(SECRETS, """
                {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "new"}, "data": {"BucketInfo": "eA=="}}"""));
    }

    /** What a bucket and an access need from their beginning to their end. */
    private static Map<String, String> permitted(DriverAccount account, String namespace) {
        Map<String, String> done = new LinkedHashMap<>();
        String bucket = BUCKETS + "/own";
        String access = ACCESSES + "/own";
        String secret = SECRETS + "/own";
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        done.put("create its Lease", account.create(leases, """
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "s3-example-com-cosi"},
                 "spec": {"holderIdentity": "me"}}"""));
        done.put(
                "renew its Lease",
                account.put(
                        leases + "/s3-example-com-cosi",
                        lease -> lease.withObject("/spec").put("holderIdentity", "you")));
        for (String kind : List.of("buckets", "bucketclaims", "bucketaccesses", "bucketaccessclasses")) {
            done.put("list " + kind, account.get(KINDS + "/" + kind));
        }
        done.put("protect the Bucket", account.put(bucket, it -> {
            annotate(it, ReleasedNames.BUCKET_UID);
            annotate(it, ReleasedNames.GRANTS);
            DriverAccount.metadata(it).withArray("/finalizers").add(ReleasedNames.BUCKET_FINALIZER);
        }));
        done.put("report the Bucket", account.putStatus(bucket, "{\"bucketReady\": true, \"bucketID\": \"id\"}"));
        done.put("report the claim", account.putStatus(CLAIMS + "/own", """
                {"bucketReady": true, "bucketName": "own"}"""));
        done.put("record the access", account.put(access, it -> {
            annotate(it, ReleasedNames.DRIVER, DRIVER);
            DriverAccount.metadata(it).withArray("/finalizers").add(ReleasedNames.ACCESS_FINALIZER);
        }));
        done.put("create the Secret", account.create(SECRETS, secret("own", "1")));
        done.put("read the Secret", account.get(secret));
        done.put("report the access", account.putStatus(access, "{\"accessGranted\": true, \"accountID\": \"id\"}"));
        done.put("rotate the key", account.put(secret, it -> {
            it.withObject("/data").put("AWS_ACCESS_KEY_ID", "eA==");
            annotate(it, "bucketwright.io/grant");
        }));
        done.put("report an event", account.create("/apis/events.k8s.io/v1" + TEAM + "/events", """
                {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "e-%d"},
                 "eventTime": "2026-01-01T00:00:00.000000Z", "reportingController": "x", "reportingInstance": "y",
                 "action": "z", "reason": "R", "note": "n", "type": "Normal", "regarding": {"namespace": "team"}}
                """.formatted(
                        System.nanoTime())));
        // A tenant edits it: it must not keep its finalizer for ever.
        assertThat(account.cluster()
                        .kubectl(
                                "patch",
                                "secret",
                                "own",
                                "--namespace=team",
                                "--type=merge",
                                "--patch={\"data\": {\"BucketInfo\": \"eA==\", \"mine\": \"eA==\"}}"))
                .contains("patched");
        done.put(
                "release the Secret",
                account.put(secret, it -> DriverAccount.metadata(it).remove("finalizers")));
        done.put("delete the Secret", account.delete(secret));
        done.put("delete the access", account.delete(access));
        done.put(
                "release the access",
                account.put(access, it -> DriverAccount.metadata(it).remove("finalizers")));
        done.put(
                "release the claim",
                account.put(CLAIMS + "/own", it -> DriverAccount.metadata(it).remove("finalizers")));
        done.put("release the Bucket", account.put(bucket, it -> {
            DriverAccount.metadata(it).withArray("/finalizers").removeAll().add("example.com/kept");
            DriverAccount.metadata(it).withObject("/annotations").remove(ReleasedNames.BUCKET_UID);
        }));
        return done;
    }

    private static void annotate(ObjectNode object, String key) {
        annotate(object, key, "true");
    }

    private static void annotate(ObjectNode object, String key, String value) {
        DriverAccount.metadata(object).withObject("/annotations").put(key, value);
    }

    private static void spec(ObjectNode object, String field, String value) {
        object.withObject("/spec").put(field, value);
    }

    private static String secret(String name, String uid) {
        String info = "{\"metadata\":{\"name\":\"bc-" + uid + "\",\"creationTimestamp\":null},\"spec\":{}}";
        return """
                {"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "metadata": {"name": "%s", %s},
                 "data": {"BucketInfo": "%s", "AWS_REGION": "eA==", "ca-bundle.crt": "eA=="}}
                """.formatted(
                        name, PROTECTED, Base64.getEncoder().encodeToString(info.getBytes(StandardCharsets.UTF_8)));
    }
}
