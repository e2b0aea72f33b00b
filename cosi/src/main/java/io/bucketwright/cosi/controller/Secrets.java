package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.controller.AccessRequestView.Copy;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two Secrets of an access: the provisioner's, and the application's copy of it. */
record Secrets(Known known) {

    /** The provisioner's, if it is there and says in label and annotation that it is this very access's. */
    Optional<Secret> granted(BucketAccess access) {
        String uid = access.getMetadata().getUid();
        return access.getSpec()
                .servedBy()
                .flatMap(provisioner -> known.secret(provisioner.namespace(), CosiNames.accountOf(uid)))
                .filter(secret -> Marks.label(secret, CosiNames.BUCKET_ACCESS_UID)
                                .equals(uid)
                        && Marks.annotation(secret, CosiNames.BUCKET_ACCESS_UID).equals(uid)
                        && !Marks.leaving(secret));
    }

    /** The application's, if it is in the cache, whosever it is. */
    Optional<Secret> copy(BucketAccess access) {
        return known.secret(
                access.getSpec().bucketAccessRequestNamespace(),
                access.getSpec().applicationSecretName());
    }

    Copy compare(BucketAccess access, BucketAccessRequest request) {
        Optional<Secret> copy = copy(access);
        if (copy.isEmpty()) {
            return Copy.ABSENT;
        }
        if (!Marks.isOwnedBy(copy.get(), request.getMetadata().getUid())) {
            return Copy.FOREIGN;
        }
        boolean same = granted(access)
                        .filter(original -> data(original).equals(data(copy.get())))
                        .isPresent()
                && Marks.label(copy.get(), CosiNames.BUCKET_ACCESS_UID)
                        .equals(access.getMetadata().getUid());
        return same ? Copy.SAME : Copy.DIFFERENT;
    }

    static Map<String, String> data(Secret secret) {
        @Nullable Map<String, String> data = secret.getData();
        return data == null ? Map.of() : data;
    }

    @Override
    public String toString() {
        return "Secrets of accesses";
    }
}
