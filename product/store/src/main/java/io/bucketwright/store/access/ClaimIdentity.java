package io.bucketwright.store.access;

/**
 * The claim behind an owner, by names. A store records it in the ownership tags, because a claim that is restored from a
 * backup has the same names and another uid.
 *
 * @param namespaceUid distinguishes namespaces that had the same name one after the other; empty if unknown
 */
public record ClaimIdentity(String namespace, String namespaceUid, String name) {

    /** For owners that are no claims. */
    public static final ClaimIdentity NONE = new ClaimIdentity("", "", "");

    /** Whether the names are known. */
    public boolean isKnown() {
        return !namespace.isEmpty() && !name.isEmpty();
    }

    /** Whether the other is a claim of the same names, perhaps of another tenant in a namespace that was created again. */
    public boolean hasSameNames(ClaimIdentity other) {
        return isKnown() && namespace.equals(other.namespace) && name.equals(other.name);
    }

    /** Whether the other is a claim in the same namespace. A namespace that was created again is another one. */
    public boolean isSameNamespace(ClaimIdentity other) {
        return !namespaceUid.isEmpty() && namespaceUid.equals(other.namespaceUid) && namespace.equals(other.namespace);
    }
}
