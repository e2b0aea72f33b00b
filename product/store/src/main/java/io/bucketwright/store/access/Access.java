package io.bucketwright.store.access;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a principal may do with the objects of its bucket. Every field restricts. No combination allows an operation on the
 * bucket itself (tags, policy, ACL, lifecycle, versioning, deletion) or on another bucket.
 *
 * @param mode the allowed operations on objects
 * @param prefix restricts access to objects whose key starts with it; empty for all objects
 * @param allow restricts the mode to these actions: those of {@link ObjectAction}, or the store's own names if it has any, with
 *     {@code *} as wildcard; empty for all
 * @param deny removes these actions, with the same names
 * @param objectLock whether the mode includes the retention and the legal holds of objects, for a bucket with object lock.
 *     Never includes to bypass a retention
 */
public record Access(AccessMode mode, String prefix, Set<String> allow, Set<String> deny, boolean objectLock) {

    /** The action that stands for all of them. */
    static final String EVERYTHING = "*";

    /** Excludes wildcards, policy variables and quotes, because the prefix is copied into policies. */
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9!_.'()@=+:,-][A-Za-z0-9!_.'()@=+:,/-]{0,255}");

    private static final Pattern ACTION = Pattern.compile("[A-Za-z0-9:*_-]{1,128}");

    /**
     * Checks the prefix and the actions.
     *
     * @throws Invalid if the prefix or an action is malformed
     */
    public Access {
        if (!prefix.isEmpty() && !PREFIX.matcher(prefix).matches()) {
            throw new Invalid(
                    "prefix " + InputText.quote(prefix)
                            + " must be at most 256 letters, digits and characters of \"!_.'()@=+:,-/\", and must not start with \"/\"");
        }
        allow = allow.contains(EVERYTHING) ? Set.of() : Set.copyOf(allow);
        deny = Set.copyOf(deny);
        allow.forEach(Access::checkAction);
        deny.forEach(Access::checkAction);
    }

    /** Without the locks of objects. */
    public Access(AccessMode mode, String prefix, Set<String> allow, Set<String> deny) {
        this(mode, prefix, allow, deny, false);
    }

    public static Access of(AccessMode mode) {
        return new Access(mode, "", Set.of(), Set.of());
    }

    /** Allows to put, get, list and delete all objects of the bucket. */
    public static Access readWrite() {
        return of(AccessMode.READ_WRITE);
    }

    /** No access and no principal. */
    public static Access none() {
        return of(AccessMode.NONE);
    }

    public Access withPrefix(String newPrefix) {
        return new Access(mode, newPrefix, allow, deny, objectLock);
    }

    public Access withActions(Set<String> newAllow, Set<String> newDeny) {
        return new Access(mode, prefix, newAllow, newDeny, objectLock);
    }

    public Access withObjectLock(boolean newObjectLock) {
        return new Access(mode, prefix, allow, deny, newObjectLock);
    }

    private static void checkAction(String action) {
        if (!ACTION.matcher(action).matches()) {
            throw new Invalid("policy action " + InputText.quote(action)
                    + " must consist of letters, digits, \":\", \"_\", \"-\" and \"*\"");
        }
    }
}
