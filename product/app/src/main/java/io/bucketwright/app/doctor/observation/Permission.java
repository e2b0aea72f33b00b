package io.bucketwright.app.doctor.observation;

/**
 * One verb on one resource.
 *
 * @param group empty for the core API group
 * @param resource with its subresource, such as {@code objectbuckets/status}
 * @param namespace empty for all namespaces, and for cluster-scoped resources
 * @param name of the only object; empty for all objects
 */
public record Permission(String verb, String group, String resource, String namespace, String name) {

    /** The resource as kubectl names it. */
    String qualifiedResource() {
        return group.isEmpty() ? resource : resource + "." + group;
    }

    @Override
    public String toString() {
        return verb + " " + qualifiedResource() + (name.isEmpty() ? "" : " " + name)
                + (namespace.isEmpty() ? "" : " in namespace " + namespace);
    }
}
