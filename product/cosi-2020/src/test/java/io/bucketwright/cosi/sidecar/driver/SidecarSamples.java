package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Objects for the tables of the decision tests. */
public final class SidecarSamples {

    public static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    public static final Provisioner PROVISIONER = new Provisioner("store", "s3.example.com");
    public static final DriverPreconditions READY = new DriverPreconditions(
            new DriverState.Ready("cosi.v1", false, Set.of(Protocol.S3)),
            1,
            new ProvisionerSecret.Usable("", Map.of()));

    private SidecarSamples() {}

    public static Bucket bucket(UnaryOperator<BucketSpec> more) {
        Bucket bucket = new Bucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("bucket-photos-team")
                .withUid("bucket-uid")
                .withGeneration(1L)
                .withFinalizers(CosiNames.FINALIZER)
                .build());
        bucket.setSpec(more.apply(Specs.of(
                BucketSpec.class,
                "provisioner",
                PROVISIONER.toString(),
                "releasePolicy",
                "Delete",
                "protocol",
                protocol(""),
                "bucketRequest",
                new BucketRequestRef("team", "photos", "request-uid"))));
        return bucket;
    }

    public static Bucket created() {
        return bucket(spec -> Specs.with(spec, "protocol", protocol("http://store.test")));
    }

    public static BucketProtocol protocol(String endpoint) {
        return new BucketProtocol("s3", null, new S3Bucket(endpoint, "photos-1", "", ""), null);
    }

    public static Bucket withPhase(Bucket bucket, BucketPhase phase) {
        bucket.setStatus(new CosiStatus(phase.text(), "", List.of(), null));
        return bucket;
    }

    public static BucketAccess access(Consumer<BucketAccess> more) {
        BucketAccess access = new BucketAccess();
        access.setMetadata(new ObjectMetaBuilder()
                .withName("bucketaccess-viewer-team")
                .withUid("access-uid")
                .withGeneration(1L)
                .withFinalizers(CosiNames.FINALIZER, CosiNames.PROVISIONER_FINALIZER)
                .build());
        access.setSpec(Specs.of(
                BucketAccessSpec.class,
                "bucketAccessRequestName",
                "viewer",
                "bucketAccessRequestNamespace",
                "team",
                "bucketAccessRequestUid",
                "access-request-uid",
                "bucketRequest",
                new BucketRequestRef("team", "photos", "request-uid"),
                "applicationSecretName",
                "viewer",
                "bucketName",
                "bucket-photos-team",
                "bucketUid",
                "bucket-uid",
                "provisioner",
                PROVISIONER.toString(),
                "protocol",
                "s3"));
        more.accept(access);
        return access;
    }

    public static Secret secret(Consumer<Secret> more) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace("store")
                .withName("ba-access-request-uid")
                .withFinalizers(CosiNames.PROVISIONER_FINALIZER)
                .withAnnotations(Map.of(CosiNames.BUCKET_ACCESS_UID, "access-uid"))
                .endMetadata()
                .withData(Map.of("BUCKET_NAME", "cGhvdG9zLTE="))
                .build();
        more.accept(secret);
        return secret;
    }
}
