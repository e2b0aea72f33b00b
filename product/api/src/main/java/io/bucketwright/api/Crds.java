package io.bucketwright.api;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The CustomResourceDefinitions of this module's kinds. The build generates them from the Java types. */
public final class Crds {
    /** The kinds ObjectBucketClaim and ObjectBucket. */
    public static final List<Class<? extends CustomResource<?, ?>>> OBJECT_BUCKET_KINDS =
            List.of(ObjectBucketClaim.class, ObjectBucket.class);

    /** The kinds of COSI. They have their own API group and are installed separately. */
    public static final List<Class<? extends CustomResource<?, ?>>> COSI_KINDS = List.of(
            BucketRequest.class,
            Bucket.class,
            BucketClass.class,
            BucketAccessRequest.class,
            BucketAccess.class,
            BucketAccessClass.class);

    /** The kinds of COSI as released ({@code objectstorage.k8s.io}). They are installed separately, too. */
    public static final List<Class<? extends CustomResource<?, ?>>> RELEASED_KINDS = List.of(
            BucketClaim.class,
            ReleasedBucket.class,
            ReleasedBucketClass.class,
            ReleasedBucketAccess.class,
            ReleasedBucketAccessClass.class);

    private Crds() {}

    /** The definitions of COSI as released. */
    public static List<CustomResourceDefinition> released() {
        return RELEASED_KINDS.stream().map(Crds::of).toList();
    }

    /** The definitions of ObjectBucketClaims and ObjectBuckets. */
    public static List<CustomResourceDefinition> objectBuckets() {
        return OBJECT_BUCKET_KINDS.stream().map(Crds::of).toList();
    }

    /** The definitions of COSI. */
    public static List<CustomResourceDefinition> cosi() {
        return COSI_KINDS.stream().map(Crds::of).toList();
    }

    /** The definitions of these kinds as one YAML stream for {@code kubectl apply -f -}. */
    public static String yaml(List<Class<? extends CustomResource<?, ?>>> kinds) {
        return String.join("---\n", kinds.stream().map(kind -> yaml(kind)).toList());
    }

    /** The definition of one kind. */
    public static CustomResourceDefinition of(Class<? extends CustomResource<?, ?>> kind) {
        return Serialization.unmarshal(yaml(kind), CustomResourceDefinition.class);
    }

    /** The definition of one kind as YAML, identical to the copy in the chart. */
    public static String yaml(Class<? extends CustomResource<?, ?>> kind) {
        String resource = "crds/" + fileName(kind);
        try (InputStream yaml = Crds.class.getResourceAsStream(resource)) {
            if (yaml == null) {
                throw new IllegalStateException(
                        resource + " is missing in the jar: the build did not run the CRD generator");
            }
            return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file name of a definition, such as {@code objectbuckets.objectbucket.io.yaml}. */
    public static String fileName(Class<? extends CustomResource<?, ?>> kind) {
        return CustomResource.getCRDName(kind) + ".yaml";
    }
}
