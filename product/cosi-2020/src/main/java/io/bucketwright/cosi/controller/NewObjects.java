package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The content of new Buckets and BucketAccesses. They contain everything that deletion needs, out of the tenants' reach. */
final class NewObjects {

    private NewObjects() {}

    public static Bucket bucket(
            String name, BucketRequest request, BucketClass bucketClass, Protocol protocol, String namespaceUid) {
        List<PermittedNamespace> permitted = new ArrayList<>(bucketClass.getAdditionalPermittedNamespaces());
        PermittedNamespace own = new PermittedNamespace(request.getMetadata().getNamespace(), namespaceUid);
        if (!permitted.contains(own)) {
            permitted.add(own);
        }
        Bucket bucket = new Bucket();
        bucket.setMetadata(metadata(name, provisioner(bucketClass.getProvisioner()), CosiNames.FINALIZER));
        bucket.setSpec(new BucketSpec(
                bucketClass.getProvisioner(),
                ReleasePolicy.of(bucketClass.getReleasePolicy()).text(),
                AnonymousAccessMode.of(bucketClass.getAnonymousAccessMode())
                        .orElse(AnonymousAccessMode.PRIVATE)
                        .text(),
                bucketClass.getMetadata().getName(),
                List.of(),
                permitted,
                BucketProtocol.named(protocol, storeName(request)),
                bucketClass.getParameters(),
                reference(request)));
        return bucket;
    }

    public static BucketAccess access(
            String name,
            BucketAccessRequest request,
            BucketRequest bucketRequest,
            Bucket bucket,
            BucketAccessClass accessClass) {
        BucketAccess access = new BucketAccess();
        access.setMetadata(metadata(
                name,
                provisioner(bucket.getSpec().provisioner()),
                CosiNames.FINALIZER,
                CosiNames.PROVISIONER_FINALIZER));
        String rotateAt = CosiMetadata.rotationTime(request);
        if (!rotateAt.isEmpty()) {
            access.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, rotateAt));
        }
        access.setSpec(new BucketAccessSpec(
                request.getMetadata().getName(),
                request.getMetadata().getNamespace(),
                request.getMetadata().getUid(),
                reference(bucketRequest),
                request.getSpec().serviceAccountName(),
                BucketAccess.accountOf(request.getMetadata().getUid()),
                secretName(request, bucketRequest),
                bucket.getMetadata().getName(),
                bucket.getMetadata().getUid(),
                bucket.getSpec().provisioner(),
                bucket.getSpec().protocol().protocol().map(Protocol::text).orElse(""),
                accessClass.getPolicyActions(),
                accessClass.getParameters()));
        return access;
    }

    /** The bucket's name in the store: unique, and nobody can guess it before the bucket exists. */
    private static String storeName(BucketRequest request) {
        return request.getSpec().bucketPrefix().toLowerCase(Locale.ROOT)
                + request.getMetadata().getUid();
    }

    private static String secretName(BucketAccessRequest request, BucketRequest bucketRequest) {
        if (!request.getSpec().accessSecretName().isEmpty()) {
            return request.getSpec().accessSecretName();
        }
        String byDefault = bucketRequest.getSpec().secretName();
        return byDefault.isEmpty() ? request.getMetadata().getName() : byDefault;
    }

    private static BucketRequestRef reference(HasMetadata request) {
        return new BucketRequestRef(
                request.getMetadata().getNamespace(),
                request.getMetadata().getName(),
                request.getMetadata().getUid());
    }

    private static Provisioner provisioner(String text) {
        return Provisioner.of(text)
                .orElseThrow(() -> new IllegalStateException("The schema should have refused the provisioner " + text));
    }

    private static ObjectMeta metadata(String name, Provisioner provisioner, String... finalizers) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withLabels(CosiMetadata.labels(provisioner))
                .withFinalizers(finalizers)
                .build();
    }
}
