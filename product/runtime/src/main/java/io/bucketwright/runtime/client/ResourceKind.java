package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A kind of object and where the API server keeps it.
 *
 * @param group empty for the core group
 */
public record ResourceKind<T extends HasMetadata>(
        Class<T> type, String group, String version, String plural, boolean namespaced) {

    /** A property of the class, like its name; fabric8 derives a plural with two dozen regular expressions each time. */
    private static final ClassValue<ResourceKind<?>> KINDS = new ClassValue<>() {
        @Override
        protected ResourceKind<?> computeValue(Class<?> type) {
            return read(type.asSubclass(HasMetadata.class));
        }
    };

    @SuppressWarnings("unchecked") // computed from the same class
    public static <T extends HasMetadata> ResourceKind<T> of(Class<T> type) {
        return (ResourceKind<T>) KINDS.get(type);
    }

    private static <T extends HasMetadata> ResourceKind<T> read(Class<T> type) {
        String group = HasMetadata.getGroup(type);
        return new ResourceKind<>(
                type,
                group == null ? "" : group,
                HasMetadata.getVersion(type),
                HasMetadata.getPlural(type),
                Namespaced.class.isAssignableFrom(type));
    }

    @SuppressWarnings("unchecked") // the class of a T is a class of T
    static <T extends HasMetadata> ResourceKind<T> ofObject(T object) {
        return of((Class<T>) object.getClass());
    }

    /** Where objects of this kind are listed; an empty namespace means all of them. */
    public String collection(String namespace) {
        return namespaced && namespace.isEmpty() ? root() + "/" + plural : path(namespace);
    }

    /** Where objects of this kind are created. */
    String path(@Nullable String namespace) {
        if (!namespaced) {
            return root() + "/" + plural;
        }
        if (namespace == null || namespace.isEmpty()) {
            throw new IllegalArgumentException("Objects of kind " + plural + " need a namespace, and none was given");
        }
        return root() + "/namespaces/" + segment(namespace) + "/" + plural;
    }

    private String root() {
        return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    }

    String path(T object) {
        return path(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    /** Where the object of that name is. */
    String path(@Nullable String namespace, String name) {
        return path(namespace) + "/" + segment(name);
    }

    /**
     * A name as a part of a path. A tenant may have written it: it must not lead to another object, or to another request. As
     * in client-go, a name that cannot be a part of a path is invalid, and other characters are escaped.
     */
    private static String segment(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains("/") || name.contains("%")) {
            throw new ApiException(new ApiError.Invalid(
                    "The name of an object must not be empty, . or .., and must not contain / or %"));
        }
        // For forms: they have another way to write a space.
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    String describe(T object) {
        String namespace = object.getMetadata().getNamespace();
        String name = object.getMetadata().getName();
        return plural + " " + (namespace == null ? name : namespace + "/" + name);
    }
}
