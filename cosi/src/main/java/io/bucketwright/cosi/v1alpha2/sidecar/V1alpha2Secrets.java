package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.IssuedAccess;
import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2Names;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.OwnedSecret;
import io.bucketwright.runtime.objects.OwnedSecret.Lookup;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Secrets of a BucketAccess, one for each claim. They have the access as controller; a Secret of somebody else is never
 * changed.
 */
final class V1alpha2Secrets {

    private final ApiWriter writer;
    private final OwnedSecret secrets;

    V1alpha2Secrets(V1alpha2SidecarContext context) {
        this.writer = context.runtime().writer();
        this.secrets = new OwnedSecret(writer, context.runtime().reader());
    }

    /** Creates the Secrets without content. Returns the name of one that somebody else owns, or that was just deleted. */
    Optional<String> reserve(V1alpha2Access access) {
        return names(access)
                .filter(name ->
                        !(secrets.create(empty(access, name), secret -> isOwned(secret, access), secret -> secret)
                                instanceof Lookup.Owned<Secret>))
                .findFirst();
    }

    /** Writes the credentials. Returns the name of a Secret that is no longer there. */
    Optional<String> fill(V1alpha2Access access, IssuedAccess issued) {
        for (V1alpha2Access.ClaimAccess claim : access.spec().bucketClaims()) {
            if (!(read(access, claim.accessSecretName()) instanceof Lookup.Owned<Secret>(Secret secret))) {
                return Optional.of(claim.accessSecretName());
            }
            Secret _ = writer.merge(secret, Map.of("data", data(access, claim, issued)));
        }
        return Optional.empty();
    }

    /** Whether any of the Secrets exists and belongs to the access. */
    boolean exist(V1alpha2Access access) {
        return names(access).anyMatch(name -> read(access, name) instanceof Lookup.Owned<Secret>);
    }

    void remove(V1alpha2Access access) {
        names(access).forEach(name -> {
            if (read(access, name) instanceof Lookup.Owned<Secret>(Secret secret)) {
                Secret released = Metadata.hasFinalizer(secret, V1alpha2Names.FINALIZER)
                        ? writer.merge(secret, Metadata.withoutFinalizer(secret, V1alpha2Names.FINALIZER))
                        : secret;
                writer.deleteAnyVersion(released);
            }
        });
    }

    /** The keys and values of one Secret: all about one bucket, in the protocol of the access. */
    static Map<String, String> values(V1alpha2Access access, V1alpha2Access.ClaimAccess claim, IssuedAccess issued) {
        String protocol = access.spec().protocol();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("COSI_PROTOCOL", protocol);
        access.status().accessedBuckets().stream()
                .filter(bucket -> bucket.bucketClaimName().equals(claim.bucketClaimName()))
                .flatMap(bucket -> issued.info().getOrDefault(bucket.bucketID(), Map.of()).entrySet().stream())
                .filter(entry -> entry.getKey().startsWith("COSI_" + protocol.toUpperCase(Locale.ROOT) + "_"))
                .forEach(entry -> values.put(entry.getKey(), entry.getValue()));
        issued.credentials().forEach((key, value) -> values.put(key, value.reveal()));
        return values;
    }

    private static Map<String, String> data(
            V1alpha2Access access, V1alpha2Access.ClaimAccess claim, IssuedAccess issued) {
        Map<String, String> data = new HashMap<>();
        values(access, claim, issued)
                .forEach((key, value) ->
                        data.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return data;
    }

    private Lookup<Secret> read(V1alpha2Access access, String name) {
        return secrets.read(Secret.class, access.getMetadata().getNamespace(), name, secret -> isOwned(secret, access));
    }

    private static boolean isOwned(Secret secret, V1alpha2Access access) {
        return Metadata.isOwnedBy(secret, access.getMetadata().getUid());
    }

    private static Stream<String> names(V1alpha2Access access) {
        return access.spec().bucketClaims().stream().map(V1alpha2Access.ClaimAccess::accessSecretName);
    }

    private static Secret empty(V1alpha2Access access, String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(access.getMetadata().getNamespace())
                .withName(name)
                .withFinalizers(V1alpha2Names.FINALIZER)
                .withOwnerReferences(Metadata.ownerReference(access))
                .endMetadata()
                .withType("Opaque")
                .build();
    }
}
