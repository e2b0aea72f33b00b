package io.bucketwright.store.access;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The owner of a bucket and of a principal. A store records it in the ownership tags of what it creates, and compares it
 * before it deletes anything.
 *
 * @param clusterId the cluster's id; in Kubernetes, the uid of the namespace {@code kube-system}
 * @param uid the uid of the claim in that cluster, which is never reused
 */
public record BucketOwner(String clusterId, String uid) {

    private static final String PRINCIPAL_PREFIX = "bw-";

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,58}[A-Za-z0-9])?");

    /**
     * Checks the value.
     *
     * @throws Invalid if one of the ids is malformed
     */
    public BucketOwner {
        check("clusterId", clusterId);
        check("uid", uid);
    }

    /** The principal of this owner. Its name is computed from the uid, so that it can be found after a crash. */
    public PrincipalName principal() {
        return principalOf(uid);
    }

    /** The principal of the owner with that uid, in any cluster. */
    public static PrincipalName principalOf(String uid) {
        return new PrincipalName(PRINCIPAL_PREFIX + uid);
    }

    /** The owner of such a text; empty if {@link #toString} does not produce it. */
    public static Optional<BucketOwner> parse(String text) {
        int slash = text.indexOf('/');
        try {
            return slash < 0
                    ? Optional.empty()
                    : Optional.of(new BucketOwner(text.substring(0, slash), text.substring(slash + 1)));
        } catch (Invalid malformed) {
            return Optional.empty();
        }
    }

    /** Whether the other has the same uid in another cluster: a backup of that cluster was restored in this one. */
    public boolean isSameInAnotherCluster(BucketOwner other) {
        return uid.equals(other.uid) && !clusterId.equals(other.clusterId);
    }

    @Override
    public String toString() {
        return clusterId + "/" + uid;
    }

    private static void check(String field, String value) {
        if (!ID.matcher(value).matches()) {
            throw new Invalid(
                    field + " " + InputText.quote(value)
                            + " must be 1 to 60 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends");
        }
    }
}
