package io.bucketwright.store.s3.minio;

import java.util.Set;

/**
 * A user of MinIO.
 *
 * @param policies the names of the policies that are attached to the user
 * @param groups the groups that the user is a member of
 */
record MinioUser(boolean enabled, Set<String> policies, Set<String> groups) {

    MinioUser {
        policies = Set.copyOf(policies);
        groups = Set.copyOf(groups);
    }

    /** Whether the process crashed after it created the user. Such a user can do nothing. */
    boolean isUnfinished() {
        return policies.isEmpty() && groups.isEmpty();
    }
}
