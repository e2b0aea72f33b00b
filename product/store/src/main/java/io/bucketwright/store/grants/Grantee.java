package io.bucketwright.store.grants;

/** The object that credentials are issued for: a claim or an access. The uid tells it from a later one of the same name. */
public record Grantee(String namespace, String name, String uid) {

    public Grantee {
        if (uid.isEmpty()) {
            throw new IllegalArgumentException("the grantee " + namespace + "/" + name + " has no uid");
        }
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
