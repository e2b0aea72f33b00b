package io.bucketwright.app.fuzz;

import io.bucketwright.app.ClaimingPod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Objects of every kind that a tenant can write. An honest one is a template as it is; in a hostile one, one to three fields are
 * changed. The same seed makes the same objects.
 *
 * @param names the namespace, and the prefix of the names of classes
 */
record HostileObjects(String names, long seed) {

    /** The kinds, and how often each one is made. */
    enum TenantKind {
        CLAIM("objectbucket.io/v1alpha1", "ObjectBucketClaim", "objectbucketclaims", 5),
        BUCKET_REQUEST("cosi.io/v1alpha1", "BucketRequest", "bucketrequests", 1),
        ACCESS_REQUEST("cosi.io/v1alpha1", "BucketAccessRequest", "bucketaccessrequests", 1),
        RELEASED_CLAIM("objectstorage.k8s.io/v1alpha1", "BucketClaim", "bucketclaims", 1),
        RELEASED_ACCESS("objectstorage.k8s.io/v1alpha1", "BucketAccess", "bucketaccesses", 1),
        POD("v1", "Pod", "pods", 2),
        VOLUME_CLAIM("v1", "PersistentVolumeClaim", "persistentvolumeclaims", 1),
        SECRET("v1", "Secret", "secrets", 1),
        CONFIG_MAP("v1", "ConfigMap", "configmaps", 1);

        /** The kinds whose honest objects a controller finishes; the others only pretend to be created by one. */
        static final List<TenantKind> SERVED =
                List.of(CLAIM, BUCKET_REQUEST, ACCESS_REQUEST, RELEASED_CLAIM, RELEASED_ACCESS, POD, VOLUME_CLAIM);

        final String group;
        final String singular;
        private final String plural;
        private final int weight;

        TenantKind(String group, String singular, String plural, int weight) {
            this.group = group;
            this.singular = singular;
            this.plural = plural;
            this.weight = weight;
        }

        String path(String namespace) {
            return (group.contains("/") ? "/apis/" : "/api/") + group + "/namespaces/" + namespace + "/" + plural;
        }
    }

    /**
     * An object to create; its content is JSON.
     *
     * @param before the content with which it is created, if the tenant edits it afterwards
     */
    record TenantObject(
            TenantKind kind, String name, Map<String, Object> content, Optional<Map<String, Object>> before) {}

    private static final List<String> METADATA = List.of(
            "metadata.labels",
            "metadata.annotations",
            "metadata.labels.bucket-provisioner",
            "metadata.annotations.bucketwright~io/rotate-at",
            "metadata.generateName",
            "metadata.ownerReferences");

    /** Tildes stand for dots in names of fields. */
    private static List<String> fields(TenantKind kind) {
        String fields = switch (kind) {
            case CLAIM -> """
                    spec spec.generateBucketName spec.bucketName spec.objectBucketName spec.ssl spec.SSL
                    spec.versioned spec.cannedBucketACL spec.additionalConfig spec.additionalConfig.maxObjects
                    spec.additionalConfig.maxSize spec.additionalConfig.renameKeys spec.additionalConfig.tags
                    spec.additionalConfig.lifecycle spec.additionalConfig.endpoint spec.storageClassName spec.unknown
                    status status.phase status.conditions
                    """;
            case BUCKET_REQUEST -> """
                    spec spec.protocol spec.bucketPrefix spec.bucketClassName spec.secretName spec.bucketInstanceName
                    status status.phase status.conditions
                    """;
            case ACCESS_REQUEST -> """
                    spec spec.serviceAccountName spec.accessSecretName spec.bucketInstance spec.bucketRequestName
                    spec.protocol spec.bucketAccessClassName spec.bucketAccessName status status.conditions
                    """;
            case RELEASED_CLAIM -> """
                    spec spec.bucketClassName spec.protocols spec.existingBucketName spec.unknown status
                    status.bucketReady status.bucketName
                    """;
            case RELEASED_ACCESS -> """
                    spec spec.bucketClaimName spec.bucketAccessClassName spec.credentialsSecretName
                    spec.serviceAccountName spec.protocol status status.accessGranted status.accountID
                    """;
            case POD -> """
                    metadata.annotations.dynamic-pvc-provisioner~kubernetes~io/data~enabled
                    metadata.annotations.dynamic-pvc-provisioner~kubernetes~io/data~pvc
                    metadata.annotations.dynamic-pvc-provisioner~kubernetes~io/data~pvc
                    metadata.annotations.dynamic-pvc-provisioner~kubernetes~io/other~pvc
                    metadata.annotations.dynamic-pvc-provisioner~kubernetes~io/~enabled spec.volumes
                    spec.serviceAccountName
                    """;
            case VOLUME_CLAIM -> """
                    metadata.annotations.storage~asset/owner-uid metadata.annotations.storage~asset/owner-gid
                    metadata.annotations.volume~pv~provisioner/reclaim-policy
                    metadata.annotations.storage-asset~pv~provisioner/reuse-existing
                    metadata.annotations.volume~kubernetes~io/selected-node
                    metadata.annotations.volume~kubernetes~io/storage-provisioner spec.resources.requests.storage
                    spec.accessModes spec.selector spec.dataSource spec.volumeMode spec.storageClassName
                    """;
            case SECRET, CONFIG_MAP -> """
                    metadata.labels.bucket-provisioner metadata.labels.cosi~io/bucket-access-uid
                    metadata.labels.cosi~io/provisioner-secret metadata.annotations.bucketwright~io/credentials data
                    data.AWS_ACCESS_KEY_ID data.BUCKET_HOST immutable type
                    """;
        };
        return List.of(fields.strip().split("\\s+", -1));
    }

    Stream<TenantObject> hostile(int count) {
        Random random = new Random(seed);
        HostileValues values = new HostileValues(random);
        List<TenantKind> kinds = Stream.of(TenantKind.values())
                .flatMap(kind -> Stream.generate(() -> kind).limit(kind.weight))
                .toList();
        return IntStream.range(0, count).mapToObj(i -> {
            TenantKind kind = kinds.get(i % kinds.size());
            // Secrets and ConfigMaps have the name of a claim.
            String name = "hostile-"
                    + (TenantKind.SERVED.contains(kind)
                            ? i
                            : i - i % kinds.size() + random.nextInt(TenantKind.CLAIM.weight));
            Map<String, Object> content = template(kind, name);
            List<String> fields = new ArrayList<>(fields(kind));
            if (random.nextInt(4) == 0) {
                fields.addAll(METADATA);
            }
            // Most objects with several changes are rejected at admission.
            for (int changes = 1 + random.nextInt(4) / 2; changes > 0; changes--) {
                String field = fields.get(random.nextInt(fields.size()));
                values.change(
                        content,
                        Stream.of(field.split("\\.", -1))
                                .map(part -> part.replace('~', '.'))
                                .toList());
            }
            if (kind == TenantKind.POD && random.nextInt(3) == 0) {
                mutateTemplate(content, random);
            }
            Optional<Map<String, Object>> before =
                    random.nextInt(4) == 0 ? Optional.of(template(kind, name)) : Optional.empty();
            return new TenantObject(kind, name, content, before);
        });
    }

    Stream<TenantObject> honest(TenantKind kind, String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> prefix + "-" + i)
                .map(name -> new TenantObject(kind, name, template(kind, name), Optional.empty()));
    }

    /** Changes one character of the pod's template of a claim, so that the parser has something to do. */
    private static void mutateTemplate(Map<String, Object> pod, Random random) {
        if (pod.get("metadata") instanceof Map<?, ?> metadata
                && metadata.get("annotations") instanceof Map<?, ?> before) {
            String key = "dynamic-pvc-provisioner.kubernetes.io/data.pvc";
            StringBuilder text = new StringBuilder(String.valueOf(before.get(key)));
            if (text.isEmpty()) {
                return;
            }
            text.setCharAt(random.nextInt(text.length()), "{}[]:&*!|>-\t#\"0".charAt(random.nextInt(15)));
            Map<Object, Object> annotations = new LinkedHashMap<>(before);
            annotations.put(key, text.toString());
            @SuppressWarnings("unchecked") // parsed from JSON
            Map<String, Object> writable = (Map<String, Object>) metadata;
            writable.put("annotations", annotations);
        }
    }

    /** An honest object of that kind and name. */
    Map<String, Object> template(TenantKind kind, String name) {
        String yaml = switch (kind) {
            case CLAIM -> """
                            apiVersion: objectbucket.io/v1alpha1
                            kind: ObjectBucketClaim
                            metadata: {name: NAME}
                            spec: {storageClassName: PREFIX-s3, generateBucketName: photos}
                            """;
            case BUCKET_REQUEST -> """
                            apiVersion: cosi.io/v1alpha1
                            kind: BucketRequest
                            metadata: {name: NAME}
                            spec: {protocol: s3, bucketClassName: PREFIX-photos}
                            """;
            case ACCESS_REQUEST -> """
                            apiVersion: cosi.io/v1alpha1
                            kind: BucketAccessRequest
                            metadata: {name: NAME}
                            spec: {bucketRequestName: NAME, bucketAccessClassName: PREFIX-read, accessSecretName: NAME-key}
                            """;
            case RELEASED_CLAIM -> """
                            apiVersion: objectstorage.k8s.io/v1alpha1
                            kind: BucketClaim
                            metadata: {name: NAME}
                            spec: {bucketClassName: PREFIX-released, protocols: [S3]}
                            """;
            case RELEASED_ACCESS -> """
                            apiVersion: objectstorage.k8s.io/v1alpha1
                            kind: BucketAccess
                            metadata: {name: NAME}
                            spec:
                              bucketClaimName: NAME
                              bucketAccessClassName: PREFIX-released
                              credentialsSecretName: NAME-released
                              protocol: S3
                            """;
            case POD -> ClaimingPod.yaml("NAME", "none");
            case VOLUME_CLAIM -> """
                            apiVersion: v1
                            kind: PersistentVolumeClaim
                            metadata: {name: NAME}
                            spec:
                              storageClassName: PREFIX-directory
                              accessModes: [ReadWriteMany]
                              resources: {requests: {storage: 1Mi}}
                            """;
            case SECRET, CONFIG_MAP -> """
                            apiVersion: v1
                            kind: KIND
                            metadata:
                              name: NAME
                              labels:
                                bucket-provisioner: PREFIX.test-bucket
                                cosi.io/bucket-access-uid: NAME
                                cosi.io/provisioner-secret: "true"
                              ownerReferences:
                              - {apiVersion: objectbucket.io/v1alpha1, kind: ObjectBucketClaim, name: NAME, uid: NAME}
                            data: {AWS_ACCESS_KEY_ID: c3RvbGVu, BUCKET_HOST: c3RvbGVu}
                            """.replace("KIND", kind == TenantKind.SECRET ? "Secret" : "ConfigMap");
        };
        @SuppressWarnings("unchecked") // the templates above
        Map<String, Object> content =
                Serialization.unmarshal(yaml.replace("NAME", name).replace("PREFIX", names), Map.class);
        return content;
    }
}
