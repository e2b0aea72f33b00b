package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.buckets.objects.ApplicationObjects;
import io.bucketwright.buckets.objects.CachedChild;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.bucketwright.store.access.Reclaim;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The caches of the claim controller, and the claims that an object in one of them affects. */
final class ClaimCaches {

    private static final String CLAIM = HasMetadata.getKind(ObjectBucketClaim.class);

    final ObjectCache<ObjectBucketClaim> claims;
    final ObjectCache<ObjectBucket> buckets;
    final ObjectCache<Secret> secrets;
    final ObjectCache<ConfigMap> configMaps;
    final ObjectCache<StorageClass> classes;
    private final ObjectCache<Namespace> namespaces;
    private final ProvisionerSettings settings;
    private final Index<ObjectBucketClaim> claimsByClass;
    private final Index<ObjectBucket> bucketsByClaim;
    private final Index<ObjectBucket> bucketsByClaimName;
    final Index<ObjectBucket> usersByBucket;
    private final Index<ObjectBucket> releasedByName;
    /** By namespace and name of a Secret or ConfigMap that has not the name of its claim. */
    private final Index<ObjectBucket> bucketsByObject;
    /** Those that have not the name of their claim, by the uid of it. */
    private final Index<Secret> secretsByClaim;

    private final Index<ConfigMap> configMapsByClaim;

    ClaimCaches(ObjectCaches caches, ProvisionerSettings settings) {
        this.settings = settings;
        Scope scope = Scope.namespace(settings.namespace());
        // Only objects with the label of this provisioner: other Secrets are not in memory. Tenants can set the label
        // too, so of each object only a bounded part is.
        Scope labelled = scope.labelled(
                ObjectBucketNames.PROVISIONER_LABEL, settings.provisioner().label());
        claims = caches.of(ObjectBucketClaim.class, scope);
        buckets = caches.unlimited(ObjectBucket.class, Scope.everything());
        CachedChild child = CachedChild.of(settings);
        secrets = caches.of(Secret.class, labelled, child::trimmed);
        configMaps = caches.of(ConfigMap.class, labelled, child::trimmed);
        classes = caches.unlimited(StorageClass.class, Scope.everything());
        namespaces = caches.of(
                Namespace.class,
                settings.namespace().isEmpty()
                        ? Scope.everything()
                        : Scope.everything().named(settings.namespace()),
                MetadataTrim.NAMESPACE);
        claimsByClass =
                claims.indexBy(claim -> List.of(claim.getSpec().storageClass().orElse("")));
        bucketsByClaim = buckets.indexBy(bucket ->
                RecordedBucket.claimOf(bucket).stream().map(ObjectKey::uid).toList());
        bucketsByClaimName = buckets.indexBy(bucket -> RecordedBucket.claimOf(bucket).stream()
                .map(claim -> claim.namespace() + "/" + claim.name())
                .toList());
        usersByBucket = buckets.indexBy(BucketSharing::usedBucket);
        releasedByName = buckets.indexBy(ClaimCaches::releasedBucket);
        bucketsByObject = buckets.indexBy(ClaimCaches::objects);
        secretsByClaim = secrets.indexBy(ClaimCaches::otherwiseNamedOwner);
        configMapsByClaim = configMaps.indexBy(ClaimCaches::otherwiseNamedOwner);
    }

    private static List<String> objects(ObjectBucket bucket) {
        Optional<ObjectKey> claim = RecordedBucket.claimOf(bucket);
        if (claim.isEmpty()) {
            return List.of();
        }
        ApplicationObjects objects = new RecordedBucket(bucket).applicationObjects();
        return Stream.of(objects.secret(), objects.configMap())
                .distinct()
                .filter(name -> !name.equals(claim.get().name()))
                .map(name -> claim.get().namespace() + "/" + name)
                .toList();
    }

    /** Only the controller of the object: others can be added to an object of another claim. */
    private static List<String> otherwiseNamedOwner(HasMetadata child) {
        return Metadata.controllerOf(child).stream()
                .filter(owner -> CLAIM.equals(owner.getKind()))
                .filter(owner -> !owner.getName().equals(child.getMetadata().getName()))
                .map(OwnerReference::getUid)
                .toList();
    }

    private static Stream<ObjectKey> owners(HasMetadata child) {
        return Metadata.owners(child).stream()
                .filter(owner -> CLAIM.equals(owner.getKind()))
                .map(owner -> new ObjectKey(child.getMetadata().getNamespace(), owner.getName(), owner.getUid()));
    }

    /** The names of Secret and ConfigMap of a claim without ObjectBucket, as the claim shows them. */
    static ApplicationObjects objectsOf(ObjectBucketClaim claim) {
        String own = claim.getMetadata().getName();
        return new ApplicationObjects(
                name(claim.getSpec().secretRef(), own), name(claim.getSpec().configMapRef(), own), false);
    }

    /** The names of Secret and ConfigMap, if neither the claim nor its ObjectBucket exists. */
    ApplicationObjects objectsOf(ObjectKey claim) {
        return new ApplicationObjects(
                name(secretsByClaim.get(claim.uid()), claim), name(configMapsByClaim.get(claim.uid()), claim), false);
    }

    private static String name(@Nullable ObjectReference reference, String otherwise) {
        @Nullable String name = reference == null ? null : reference.getName();
        return name == null || name.isEmpty() ? otherwise : name;
    }

    private static String name(List<? extends HasMetadata> children, ObjectKey claim) {
        return children.stream()
                .map(child -> child.getMetadata().getName())
                .min(Comparator.naturalOrder())
                .orElse(claim.name());
    }

    /** The uid of a namespace; empty if the cache does not contain it yet. */
    String namespaceUid(String namespace) {
        return namespaces
                .get("", namespace)
                .map(found -> found.getMetadata().getUid())
                .orElse("");
    }

    /** The ObjectBucket that belongs to a claim, whatever its name. */
    Optional<ObjectBucket> bucketOf(ObjectKey claim) {
        return bucketsByClaim.get(claim.uid()).stream()
                .min(Comparator.comparing(bucket -> bucket.getMetadata().getName()));
    }

    /** Whether another claim's ObjectBucket has the usual name of this claim's. */
    boolean isNameTaken(ObjectKey claim) {
        String name = ObjectBucketContent.name(claim.namespace(), claim.name(), claim.uid(), false);
        return buckets.get("", name)
                .filter(other -> RecordedBucket.claimOf(other)
                        .filter(owner -> owner.uid().equals(claim.uid()))
                        .isEmpty())
                .isPresent();
    }

    /** Former claims of the same name that still have an ObjectBucket: their Secret and ConfigMap have the name, too. */
    Collection<ObjectKey> formerClaimsOf(ObjectBucketClaim claim) {
        return bucketsOfName(ObjectKey.of(claim))
                .flatMap(bucket -> RecordedBucket.claimOf(bucket).stream())
                .filter(former -> !former.names(claim))
                .toList();
    }

    private Stream<ObjectBucket> bucketsOfName(ObjectKey claim) {
        return bucketsByClaimName.get(claim.namespace() + "/" + claim.name()).stream();
    }

    /**
     * What may happen to the bucket of a claim when it is released. If a former claim of the same name had the bucket, an
     * administrator may have changed its ObjectBucket to Retain: the tags of the bucket do not tell.
     */
    Reclaim reclaim(RecordedBucket bucket) {
        return RecordedBucket.claimOf(bucket.object()).stream()
                .flatMap(this::bucketsOfName)
                .map(RecordedBucket::new)
                .filter(former -> former.findIntent()
                        .filter(intent ->
                                intent.bucketName().equals(bucket.intent().bucketName()))
                        .isPresent())
                .map(RecordedBucket::reclaim)
                .reduce(bucket.reclaim(), Reclaim::orStricter);
    }

    /** The claim of an ObjectBucket. */
    static Collection<ObjectKey> claimsOf(ObjectBucket bucket) {
        return RecordedBucket.claimOf(bucket).stream().toList();
    }

    /** The claims that may wait because an ObjectBucket used their bucket: they are to be released, and it is deleted. */
    Collection<ObjectKey> ownersWaitingFor(ObjectBucket deleted) {
        return BucketSharing.usedBucket(deleted).stream()
                .flatMap(name -> releasedByName.get(name).stream())
                .flatMap(owner -> RecordedBucket.claimOf(owner).stream())
                .toList();
    }

    /** A new bucket that is being released. */
    private static List<String> releasedBucket(ObjectBucket bucket) {
        return bucket.phase() != Phase.RELEASED
                ? List.of()
                : bucket.getSpec().recordedIntent().stream()
                        .filter(intent -> intent.bucketOrigin()
                                .filter(BucketOrigin.NEW::equals)
                                .isPresent())
                        .map(BucketIntent::bucketName)
                        .toList();
    }

    /** The owner of a Secret or ConfigMap, and the claims that want its name and may wait for its deletion. */
    Collection<ObjectKey> claimsOfChild(HasMetadata child) {
        Set<ObjectKey> keys = new HashSet<>();
        String namespace = child.getMetadata().getNamespace();
        String name = child.getMetadata().getName();
        owners(child).forEach(keys::add);
        claims.get(namespace, name).map(ObjectKey::of).ifPresent(keys::add);
        bucketsByObject.get(namespace + "/" + name).stream()
                .flatMap(bucket -> RecordedBucket.claimOf(bucket).stream())
                .forEach(keys::add);
        return keys;
    }

    /** The claims whose store needs this administrator Secret, or whose ObjectBucket records that it does. */
    Collection<ObjectKey> claimsOf(Secret administrator) {
        SecretName name = new SecretName(
                administrator.getMetadata().getNamespace(),
                administrator.getMetadata().getName());
        Set<ObjectKey> keys = new HashSet<>();
        for (ObjectBucket bucket : buckets.list()) {
            bucket.getSpec()
                    .recordedIntent()
                    .filter(intent -> name.isIn(intent.parameters()))
                    .flatMap(_ -> RecordedBucket.claimOf(bucket))
                    .ifPresent(keys::add);
        }
        classes.list().stream()
                .filter(storageClass -> name.isIn(settings.parameters(storageClass)))
                .forEach(storageClass -> keys.addAll(claimsOf(storageClass)));
        return keys;
    }

    /** The claims that name a class; for a default class, also those that name none. */
    Collection<ObjectKey> claimsOf(StorageClass storageClass) {
        Set<ObjectKey> keys = new HashSet<>();
        claimsByClass.get(storageClass.getMetadata().getName()).forEach(claim -> keys.add(ObjectKey.of(claim)));
        if (ClassLookup.isDefault(storageClass)) {
            claimsByClass.get("").forEach(claim -> keys.add(ObjectKey.of(claim)));
        }
        return keys;
    }
}
