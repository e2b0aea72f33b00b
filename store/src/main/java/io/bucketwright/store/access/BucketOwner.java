package io.bucketwright.store.access;


import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.regex.Pattern;

/**
 * Who a bucket or a principal belongs to: the mark that a store keeps on what it makes, and the proof that it needs
 * before it destroys anything.
 *
 * @param clusterId the cluster's id; in Kubernetes, the uid of the namespace {@code kube-system}
 * @param uid the id of the claim in that cluster, never used again for another
 */
public record BucketOwner(String clusterId, String uid) {

    private static final String PRINCIPAL_PREFIX = "bw-";

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,58}[A-Za-z0-9])?");

    /**
     * Checks the value.
     *
     * @throws Invalid if one of the two is no id
     */
    public BucketOwner {
        check("clusterId", clusterId);
        check("uid", uid);
    }

    /** The principal of this owner: one for each claim, named so that it is found again after a crash. */
    public PrincipalName principal() {
        return new PrincipalName(PRINCIPAL_PREFIX + uid);
    }

    /**
     * The owner of a principal, for callers who kept only its name.
     *
     * @throws Invalid if it is no name that {@link #principal()} gives
     */
    public static BucketOwner of(String clusterId, PrincipalName principal) {
        if (!principal.text().startsWith(PRINCIPAL_PREFIX)) {
            throw new Invalid("principal name " + InputText.quote(principal.text()) + " is not one of ours");
        }
        return new BucketOwner(clusterId, principal.text().substring(PRINCIPAL_PREFIX.length()));
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
