package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sidecar of the objects in a {@link World}. Its store is in memory too. */
final class InMemorySidecar {

    private final World world;
    private int keys;

    /** The version and the trouble that it has handled; without a change there is nothing to do. */
    private long served = -1;

    private String servedWith = "";

    InMemorySidecar(World world) {
        this.world = world;
    }

    void work() {
        if (served == world.version() && servedWith.equals(world.trouble)) {
            return;
        }
        served = world.version();
        servedWith = world.trouble;
        world.all(Bucket.class).forEach(this::bucket);
        world.all(BucketAccess.class).forEach(this::access);
    }

    private void bucket(Bucket bucket) {
        String name = bucket.getSpec().protocol().bucketName();
        boolean deleted = Metadata.isBeingDeleted(bucket);
        boolean bound = !bucket.getSpec().bindings().isEmpty();
        if (!deleted && !bucket.provisioned()) {
            if (!world.trouble.isEmpty()) {
                status(bucket, bucket.phase(), world.trouble);
                return;
            }
            world.storeBuckets.add(name);
            BucketProtocol provisioned =
                    new BucketProtocol("s3", null, new S3Bucket("http://store", name, "", ""), null);
            world.edit(bucket, latest -> latest.setSpec(Specs.with(latest.getSpec(), "protocol", provisioned)));
        } else if (deleted && !bound && bucket.phase() != BucketPhase.DELETED) {
            if (world.all(BucketAccess.class).stream()
                    .anyMatch(access -> access.getSpec().bucketName().equals(World.name(bucket)))) {
                return;
            }
            if (bucket.getSpec().onRelease() == ReleasePolicy.DELETE
                    && bucket.getSpec().creator().isPresent()) {
                world.assertUnused(bucket);
                world.storeBuckets.remove(name);
            }
            status(bucket, BucketPhase.DELETED, "");
        } else if (!deleted && bound && bucket.phase() != BucketPhase.BOUND) {
            status(bucket, BucketPhase.BOUND, "");
        } else if (!deleted && !bound && bucket.phase() == BucketPhase.BOUND) {
            status(bucket, BucketPhase.RELEASED, "");
        }
    }

    private void status(Bucket bucket, BucketPhase phase, String message) {
        world.edit(bucket, latest -> latest.setStatus(new CosiStatus(phase.text(), message, List.of(), null)));
    }

    private void access(BucketAccess access) {
        if (!Metadata.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return;
        }
        if (!world.trouble.isEmpty()) {
            world.annotate(access, CosiNames.PROVISIONER_REPORT, world.trouble);
            return;
        }
        String account = access.account();
        Optional<Secret> secret = world.secret(World.STORE, account);
        if (Metadata.isBeingDeleted(access)) {
            world.accounts.remove(account);
            secret.ifPresent(world::delete);
            world.editMetadata(access, metadata -> metadata.removeFromFinalizers(CosiNames.PROVISIONER_FINALIZER));
            return;
        }
        String rotateAt = Metadata.annotation(access, CosiNames.ROTATE_AT);
        boolean provisioned = world.bucket(access.getSpec().bucketName())
                .filter(bucket -> !Metadata.isBeingDeleted(bucket))
                .filter(bucket -> bucket.provisioned())
                .isPresent();
        boolean current = secret.filter(found -> rotateAt.equals(Metadata.annotation(found, CosiNames.ROTATED_AT)))
                .isPresent();
        if (provisioned && !current) {
            secret.ifPresent(world::delete);
            String key = "key-" + ++keys;
            world.accounts.put(account, key);
            world.create(new SecretBuilder()
                    .withMetadata(World.named(World.STORE, account))
                    .editMetadata()
                    .addToLabels(CosiNames.BUCKET_ACCESS_UID, World.uid(access))
                    .addToAnnotations(CosiNames.BUCKET_ACCESS_UID, World.uid(access))
                    .addToAnnotations(CosiNames.ROTATED_AT, rotateAt)
                    .endMetadata()
                    .withData(Map.of("SECRET_KEY", key))
                    .build());
        }
        if (Metadata.annotations(access).containsKey(CosiNames.PROVISIONER_REPORT)) {
            world.editMetadata(access, metadata -> metadata.removeFromAnnotations(CosiNames.PROVISIONER_REPORT));
        }
    }
}
