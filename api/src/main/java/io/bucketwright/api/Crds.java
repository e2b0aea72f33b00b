package io.bucketwright.api;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The CustomResourceDefinitions of this module's kinds, as the build generated them from the Java types. */
public final class Crds {
    private static final List<Class<? extends CustomResource<?, ?>>> KINDS =
            List.of(ObjectBucketClaim.class, ObjectBucket.class);

    private Crds() {}

    /** Every kind that has a definition here. */
    public static List<Class<? extends CustomResource<?, ?>>> kinds() {
        return KINDS;
    }

    /** Every definition, ready to be applied. */
    public static List<CustomResourceDefinition> all() {
        return KINDS.stream().map(Crds::of).toList();
    }

    /** Every definition as one YAML stream, as {@code kubectl apply -f -} takes it. */
    public static String yaml() {
        return String.join("---\n", KINDS.stream().map(Crds::yaml).toList());
    }

    /** The definition of one kind. */
    public static CustomResourceDefinition of(Class<? extends CustomResource<?, ?>> kind) {
        return Serialization.unmarshal(yaml(kind), CustomResourceDefinition.class);
    }

    /** The definition of one kind as YAML, to the letter as it stands in the chart. */
    public static String yaml(Class<? extends CustomResource<?, ?>> kind) {
        String resource = "crds/" + fileName(kind);
        try (InputStream yaml = Crds.class.getResourceAsStream(resource)) {
            if (yaml == null) {
                throw new IllegalStateException(resource + " is not in the jar: it was built without its generator");
            }
            return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of a definition's file, for those who copy it: {@code objectbuckets.objectbucket.io.yaml}. */
    public static String fileName(Class<? extends CustomResource<?, ?>> kind) {
        return CustomResource.getCRDName(kind) + ".yaml";
    }
}
