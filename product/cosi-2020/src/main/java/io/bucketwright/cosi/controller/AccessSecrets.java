package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two Secrets of an access: the provisioner's, and the application's copy of it. */
public record AccessSecrets(CosiCaches cluster) {

    /** How the application's Secret compares to the provisioner's. */
    public enum CopyState {
        ABSENT,
        SAME,
        DIFFERENT,
        /** A Secret of that name exists and is not owned by the request. */
        FOREIGN
    }

    /** The provisioner's Secret, if its label and its annotation name this access. */
    public Optional<Secret> granted(BucketAccess access) {
        String uid = access.getMetadata().getUid();
        return access.getSpec()
                .servedBy()
                .flatMap(provisioner -> cluster.secrets.get(provisioner.namespace(), access.account()))
                .filter(secret ->
                        Metadata.label(secret, CosiNames.BUCKET_ACCESS_UID).equals(uid)
                                && Metadata.annotation(secret, CosiNames.BUCKET_ACCESS_UID)
                                        .equals(uid)
                                && !Metadata.isBeingDeleted(secret));
    }

    /** The application's Secret, if it is in the cache, whoever owns it. */
    public Optional<Secret> copy(BucketAccess access) {
        return cluster.secrets.get(
                access.getSpec().bucketAccessRequestNamespace(),
                access.getSpec().applicationSecretName());
    }

    public CopyState compare(BucketAccess access, BucketAccessRequest request) {
        Optional<Secret> copy = copy(access);
        if (copy.isEmpty()) {
            return CopyState.ABSENT;
        }
        if (!Metadata.isOwnedBy(copy.get(), request.getMetadata().getUid())) {
            return CopyState.FOREIGN;
        }
        boolean same = granted(access)
                        .filter(original -> CachedSecret.digest(original).equals(CachedSecret.digest(copy.get())))
                        .isPresent()
                && Metadata.label(copy.get(), CosiNames.BUCKET_ACCESS_UID)
                        .equals(access.getMetadata().getUid());
        return same ? CopyState.SAME : CopyState.DIFFERENT;
    }

    public static Map<String, String> data(Secret secret) {
        @Nullable Map<String, String> data = secret.getData();
        return data == null ? Map.of() : data;
    }
}
