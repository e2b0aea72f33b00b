package io.bucketwright.store.access;


import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a principal may do, and where. Everything here only narrows: no combination allows anything about the bucket
 * itself (its tags, policy, ACL, lifecycle, versioning, deletion), nor any other bucket.
 *
 * @param mode what it may do with objects
 * @param prefix only objects whose key begins so; empty for all
 * @param allow of the store's own action names (with {@code *}), only these of the mode's; empty for all of them
 * @param deny of the store's own action names (with {@code *}), none of these
 */
public record Access(AccessMode mode, String prefix, Set<String> allow, Set<String> deny) {

    /** No wildcard, no policy variable, no quote: a prefix stands in policies as it is. */
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9!_.'()@=+:,-][A-Za-z0-9!_.'()@=+:,/-]{0,255}");

    private static final Pattern ACTION = Pattern.compile("[A-Za-z0-9:*_-]{1,128}");

    /**
     * Checks the prefix and the actions.
     *
     * @throws Invalid if the prefix or an action is not of its form
     */
    public Access {
        if (!prefix.isEmpty() && !PREFIX.matcher(prefix).matches()) {
            throw new Invalid(
                    "prefix " + InputText.quote(prefix)
                            + " must be at most 256 letters, digits and characters of \"!_.'()@=+:,-/\", and not begin with \"/\"");
        }
        allow = Set.copyOf(allow);
        deny = Set.copyOf(deny);
        allow.forEach(Access::checkAction);
        deny.forEach(Access::checkAction);
    }

    public static Access of(AccessMode mode) {
        return new Access(mode, "", Set.of(), Set.of());
    }

    /** Put, get, list and delete all objects of the bucket. */
    public static Access readWrite() {
        return of(AccessMode.READ_WRITE);
    }

    /** No access and no principal: the bucket alone. */
    public static Access none() {
        return of(AccessMode.NONE);
    }

    public Access withPrefix(String newPrefix) {
        return new Access(mode, newPrefix, allow, deny);
    }

    public Access withActions(Set<String> newAllow, Set<String> newDeny) {
        return new Access(mode, prefix, newAllow, newDeny);
    }

    /**
     * This access of a class, and what a claim makes of it: the same or less.
     *
     * @throws Invalid if the claim wants more
     */
    public Access narrowedBy(Access claim) {
        if (mode != AccessMode.READ_WRITE && mode != claim.mode) {
            throw new Invalid("accessMode " + claim.mode + " is more than the class allows, which is " + mode);
        }
        if (!claim.prefix.isEmpty() && !claim.prefix.startsWith(prefix)) {
            throw new Invalid(
                    "prefix " + InputText.quote(claim.prefix) + " must begin with the class's " + InputText.quote(prefix));
        }
        if (!allow.isEmpty() && !claim.allow.isEmpty() && !allow.containsAll(claim.allow)) {
            throw new Invalid("the policy actions " + claim.allow + " are more than the class allows");
        }
        Set<String> denied = new HashSet<>(deny);
        denied.addAll(claim.deny);
        return new Access(
                claim.mode,
                claim.prefix.isEmpty() ? prefix : claim.prefix,
                claim.allow.isEmpty() ? allow : claim.allow,
                denied);
    }

    private static void checkAction(String action) {
        if (!ACTION.matcher(action).matches()) {
            throw new Invalid("policy action " + InputText.quote(action) + " must be letters, digits, \":\" and \"*\"");
        }
    }
}
