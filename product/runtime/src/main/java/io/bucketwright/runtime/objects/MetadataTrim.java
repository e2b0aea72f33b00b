package io.bucketwright.runtime.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a cache keeps of the metadata of objects that tenants can write: a bounded part, whatever they write there.
 *
 * @param ownerKind the kind of the owners that are kept
 * @param labels the keys of the labels that are kept
 * @param annotations the keys of the annotations that are kept
 * @param longestAnnotation the length of the longest value of an annotation that is kept; a longer one is as none
 */
public record MetadataTrim(String ownerKind, Set<String> labels, Set<String> annotations, int longestAnnotation) {

    /** No object of this project has more; the owner that is the controller is always among those that are kept. */
    private static final int MOST_OWNERS = 8;

    private static final int LONGEST_REFERENCE = 253;
    private static final int MOST_FINALIZERS = 8;
    /** The API server forbids longer values. */
    private static final int LONGEST_LABEL = 63;

    /** Parts of the keys that controllers read. */
    private static final List<String> KNOWN_KEYS =
            List.of("bucketwright", "cosi", "objectstorage", "kubernetes", "provisioner");

    private static final int KNOWN_TEXT = 4 << 10;
    private static final int ENTRY_OVERHEAD = 128;
    private static final int FEW_OWNERS = 3;

    /** In place of finalizers that are not kept. The API server rejects it, so that no patch can remove these by mistake. */
    private static final String OTHER_FINALIZERS = "(others)";

    /** Of a namespace, who it is and since when: no controller reads more. One for all, so that they share their cache. */
    public static final UnaryOperator<Namespace> NAMESPACE = MetadataTrim::namespace;

    public MetadataTrim {
        labels = Set.copyOf(labels);
        annotations = Set.copyOf(annotations);
    }

    /** The metadata to keep. Without finalizers: see {@link #withFinalizers}. */
    public ObjectMeta of(HasMetadata object) {
        return identity(object.getMetadata())
                .withLabels(only(Metadata.labels(object), labels, LONGEST_LABEL))
                .withAnnotations(only(Metadata.annotations(object), annotations, longestAnnotation))
                .withOwnerReferences(owners(object))
                .build();
    }

    /**
     * The metadata to keep, with the finalizers. If there are very many, only the one of the controller is kept, and
     * {@link #hasAllFinalizers} is false: read the object before you change its finalizers, because a patch replaces the
     * whole list.
     */
    public ObjectMeta withFinalizers(HasMetadata object, String own) {
        List<String> all = Metadata.finalizers(object);
        ObjectMeta kept = of(object);
        kept.setFinalizers(
                all.size() <= MOST_FINALIZERS
                        ? all
                        : Stream.concat(all.stream().filter(own::equals).distinct(), Stream.of(OTHER_FINALIZERS))
                                .toList());
        return kept;
    }

    /**
     * The metadata to keep of an object of any kind that is too large: the labels and annotations of Kubernetes and of this
     * project, as far as they are short and few. Tenants can remove these anyway.
     */
    public static ObjectMeta ofTooLarge(HasMetadata object) {
        ObjectMeta all = object.getMetadata();
        List<String> finalizers = Metadata.finalizers(object);
        boolean few = finalizers.size() <= MOST_FINALIZERS
                && finalizers.stream().allMatch(name -> name.length() <= LONGEST_REFERENCE);
        return identity(all)
                .withGeneration(all.getGeneration())
                .withCreationTimestamp(all.getCreationTimestamp())
                .withDeletionGracePeriodSeconds(all.getDeletionGracePeriodSeconds())
                .withLabels(known(Metadata.labels(object)))
                .withAnnotations(known(Metadata.annotations(object)))
                .withFinalizers(few ? finalizers : List.of(OTHER_FINALIZERS))
                .withOwnerReferences(owners(Metadata.owners(object).stream(), FEW_OWNERS))
                .build();
    }

    private static ObjectMetaBuilder identity(ObjectMeta all) {
        return new ObjectMetaBuilder()
                .withNamespace(all.getNamespace())
                .withName(all.getName())
                .withUid(all.getUid())
                .withResourceVersion(all.getResourceVersion())
                .withDeletionTimestamp(all.getDeletionTimestamp());
    }

    private static Namespace namespace(Namespace whole) {
        return new NamespaceBuilder()
                .withMetadata(identity(whole.getMetadata())
                        .withCreationTimestamp(whole.getMetadata().getCreationTimestamp())
                        .build())
                .build();
    }

    private static Map<String, String> known(Map<String, String> all) {
        Map<String, String> kept = new HashMap<>();
        int left = KNOWN_TEXT;
        for (Map.Entry<String, String> entry : all.entrySet()) {
            int length = entry.getKey().length() + entry.getValue().length() + ENTRY_OVERHEAD;
            if (length <= left && KNOWN_KEYS.stream().anyMatch(entry.getKey()::contains)) {
                kept.put(entry.getKey(), entry.getValue());
                left -= length;
            }
        }
        return kept;
    }

    /** Whether an object from a cache has all finalizers that the API server has. */
    public static boolean hasAllFinalizers(HasMetadata object) {
        return !Metadata.hasFinalizer(object, OTHER_FINALIZERS);
    }

    private static Map<String, String> only(Map<String, String> all, Set<String> wanted, int longest) {
        Map<String, String> kept = new HashMap<>();
        for (String key : wanted) {
            @Nullable String value = all.get(key);
            if (value != null && value.length() <= longest) {
                kept.put(key, value);
            }
        }
        return kept;
    }

    private List<OwnerReference> owners(HasMetadata object) {
        return owners(Metadata.owners(object).stream().filter(owner -> ownerKind.equals(owner.getKind())), MOST_OWNERS);
    }

    private static List<OwnerReference> owners(Stream<OwnerReference> owners, int most) {
        return owners.filter(owner -> Stream.of(owner.getApiVersion(), owner.getName(), owner.getUid())
                        .allMatch(text -> text == null || text.length() <= LONGEST_REFERENCE))
                .sorted(Comparator.comparing(owner -> !Boolean.TRUE.equals(owner.getController())))
                .limit(most)
                .toList();
    }
}
