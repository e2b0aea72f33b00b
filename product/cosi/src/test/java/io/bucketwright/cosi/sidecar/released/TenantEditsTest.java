package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.vendors.Vendor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Tenants edit and strip whatever they may edit, at any moment, also while no sidecar runs: after the deletion of the access
 * no key that was ever issued works.
 */
class TenantEditsTest {

    /** What a tenant does, and what happens in between. */
    enum Action {
        OTHER_CLAIM,
        NO_CLAIM,
        FIRST_CLAIM,
        OTHER_DRIVERS_CLASS,
        NO_CLASS,
        FIRST_CLASS,
        OTHER_SECRET,
        NO_SECRET,
        ROTATE,
        CLEAR_ANNOTATIONS,
        FORGE_ANNOTATIONS,
        STRIP_ACCESS,
        STRIP_SECRET,
        STRIP_CLAIM,
        DELETE_SECRET,
        EDIT_SECRET,
        DELETE_CLAIM,
        CREATE_AGAIN,
        DELETE_ACCESS,
        SIDECAR_WORKS,
        SIDECAR_RESTARTS,
        TIME_PASSES
    }

    @Property(tries = 250)
    void noKeyWorksAfterTheDeletion(
            @ForAll @Size(min = 1, max = 14) List<Action> history, @ForAll @IntRange(max = 2) int driver)
            throws IOException {
        Path folder = Files.createTempDirectory("edits");
        Vendor vendor =
                List.of(Vendor.IN_MEMORY_SAMPLE, Vendor.VERSITYGW, Vendor.DELL).get(driver);
        try (AccessWorld world = new AccessWorld(vendor, folder)) {
            world.claim("photos");
            world.claim("music");
            world.accessClass("other");
            world.editAny(
                    ReleasedBucketAccessClass.class, "", "other", found -> found.setDriverName("other.example.com"));
            world.access("viewer", "photos");
            world.settle();
            history.forEach(action -> act(world, action));
            world.delete("viewer");
            world.pass(Duration.ofMinutes(30));
            assertThat(world.liveKeys()).as("keys after " + history).isEmpty();
            assertThat(world.grants()).as("ledger after " + history).isEmpty();
            assertThat(world.server.list(Secret.class))
                    .as("Secrets after " + history)
                    .allMatch(secret -> secret.getMetadata().getFinalizers().isEmpty());
        } finally {
            Files.delete(folder);
        }
    }

    private static void act(AccessWorld world, Action action) {
        switch (action) {
            case OTHER_CLAIM ->
                edit(world, spec -> with(spec, "music", spec.bucketAccessClassName(), spec.credentialsSecretName()));
            case NO_CLAIM ->
                edit(world, spec -> with(spec, "none", spec.bucketAccessClassName(), spec.credentialsSecretName()));
            case FIRST_CLAIM ->
                edit(world, spec -> with(spec, "photos", spec.bucketAccessClassName(), spec.credentialsSecretName()));
            case OTHER_DRIVERS_CLASS ->
                edit(world, spec -> with(spec, spec.bucketClaimName(), "other", spec.credentialsSecretName()));
            case NO_CLASS ->
                edit(world, spec -> with(spec, spec.bucketClaimName(), "none", spec.credentialsSecretName()));
            case FIRST_CLASS ->
                edit(world, spec -> with(spec, spec.bucketClaimName(), "readers", spec.credentialsSecretName()));
            case OTHER_SECRET ->
                edit(
                        world,
                        spec -> with(
                                spec,
                                spec.bucketClaimName(),
                                spec.bucketAccessClassName(),
                                "moved" + world.writes().size()));
            case NO_SECRET -> edit(world, spec -> with(spec, spec.bucketClaimName(), spec.bucketAccessClassName(), ""));
            case ROTATE ->
                annotate(
                        world,
                        CosiNames.ROTATE_AT,
                        "2026-01-01T00:00:0" + world.writes().size() % 10 + "Z");
            case CLEAR_ANNOTATIONS -> change(world, metadata -> metadata.setAnnotations(Map.of()));
            case FORGE_ANNOTATIONS -> annotate(world, ReleasedNames.DRIVER, "other.example.com");
            case STRIP_ACCESS -> change(world, metadata -> metadata.setFinalizers(List.of()));
            case STRIP_SECRET -> secrets(world, secret -> secret.getMetadata().setFinalizers(List.of()));
            case STRIP_CLAIM -> claim(world, claim -> claim.getMetadata().setFinalizers(List.of()));
            case DELETE_SECRET ->
                world.server.list(Secret.class).stream()
                        .map(TenantEditsTest::name)
                        .toList()
                        .forEach(name -> world.server.delete(Secret.class, AccessWorld.NAMESPACE, name));
            case EDIT_SECRET -> secrets(world, secret -> secret.setData(Map.of("BucketInfo", "e30=")));
            case DELETE_CLAIM -> world.server.delete(BucketClaim.class, AccessWorld.NAMESPACE, "photos");
            case CREATE_AGAIN -> {
                if (world.find("viewer").isEmpty()) {
                    world.access("viewer", "photos");
                }
            }
            case DELETE_ACCESS -> world.delete("viewer");
            case SIDECAR_WORKS -> world.settle();
            case SIDECAR_RESTARTS -> world.restart();
            case TIME_PASSES -> world.pass(Duration.ofMinutes(10));
        }
    }

    private static ReleasedAccessSpec with(ReleasedAccessSpec spec, String claim, String accessClass, String secret) {
        return new ReleasedAccessSpec(claim, spec.protocol(), accessClass, secret, spec.serviceAccountName());
    }

    private static void edit(AccessWorld world, UnaryOperator<ReleasedAccessSpec> change) {
        access(world, access -> access.setSpec(change.apply(access.spec())));
    }

    private static void change(AccessWorld world, Consumer<ObjectMeta> change) {
        access(world, access -> change.accept(access.getMetadata()));
    }

    private static void annotate(AccessWorld world, String key, String value) {
        access(world, access -> {
            Map<String, String> all = new HashMap<>(access.getMetadata().getAnnotations());
            all.put(key, value);
            access.getMetadata().setAnnotations(all);
        });
    }

    private static void access(AccessWorld world, Consumer<ReleasedBucketAccess> change) {
        if (world.find("viewer").isPresent()) {
            world.edit("viewer", change);
        }
    }

    private static void claim(AccessWorld world, Consumer<BucketClaim> change) {
        if (world.server.get(BucketClaim.class, AccessWorld.NAMESPACE, "photos").isPresent()) {
            world.editAny(BucketClaim.class, AccessWorld.NAMESPACE, "photos", change);
        }
    }

    private static void secrets(AccessWorld world, Consumer<Secret> change) {
        world.server.list(Secret.class).stream()
                .map(TenantEditsTest::name)
                .toList()
                .forEach(name -> world.editAny(Secret.class, AccessWorld.NAMESPACE, name, change));
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}
