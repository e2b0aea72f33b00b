package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ProvisionerReport;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.runtime.testing.Fault;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.arbitraries.ListArbitrary;
import net.jqwik.api.constraints.IntRange;

/** Faults and actions in any order: nothing is lost, nothing is created twice, and everything settles. */
class RequestModelTest {

    private static final String BUCKET = "bucket-photos-a";

    /** What the controllers, the sidecar, faults, users and administrators do. */
    enum Action {
        CONTROLLER,
        SIDECAR,
        /** Everybody works until nothing is left to do. */
        SETTLE,
        TIME_PASSES,
        CACHES_LAG,
        CRASH_BEFORE_A_WRITE,
        CRASH_AFTER_A_WRITE,
        REQUEST_LOST,
        RESPONSE_LOST,
        STORE_IS_DOWN,
        STORE_REJECTS,
        STORE_RECOVERS,
        SECRET_DELETED,
        SECRET_EDITED,
        BINDINGS_EDITED,
        ROTATION_REQUESTED,
        DELETE_REQUEST_OF_A,
        DELETE_REQUEST_OF_B,
        DELETE_ACCESS_OF_A,
        DELETE_ACCESS_OF_B,
        REQUEST_AGAIN_A,
        REQUEST_AGAIN_B,
        ADMINISTRATOR_DELETES_BUCKET,
        ADMINISTRATOR_DELETES_ACCESS,
        STRANGER_REQUESTS,
        STRANGER_FORGES,
        STRANGER_GIVES_UP,
        PERMISSION_IS_WITHDRAWN,
        CLASSES_ARE_DELETED
    }

    private static final Set<Action> REPAIRED_BY_TIME =
            EnumSet.of(Action.SECRET_DELETED, Action.SECRET_EDITED, Action.BINDINGS_EDITED, Action.ROTATION_REQUESTED);

    private static final Set<Action> BY_USERS = EnumSet.range(Action.DELETE_REQUEST_OF_A, Action.REQUEST_AGAIN_B);

    private static final Set<Action> BY_OTHERS =
            EnumSet.range(Action.ADMINISTRATOR_DELETES_BUCKET, Action.CLASSES_ARE_DELETED);

    @Property(tries = 300)
    void afterAnyFaultEverythingIsBoundAndCanBeDeleted(
            @ForAll("faults") List<Action> history,
            @ForAll @IntRange(min = 1, max = 12) int moment,
            @ForAll ReleasePolicy policy) {
        World world = new World(policy, "b");
        askA(world);
        askB(world);
        history.forEach(action -> act(world, action, moment));
        world.trouble = "";
        world.settle();
        // B names a Bucket that did not exist at first.
        world.settle();

        assertBound(world, "a");
        assertBound(world, "b");
        assertThat(world.created()).isEqualTo(1);
        assertThat(world.storeBuckets).hasSize(1);
        assertThat(world.accounts).hasSize(2);
        int writes = world.writes();
        world.settle();
        assertThat(world.writes()).as("at rest, nothing is written").isEqualTo(writes);

        List<HasMetadata> mine = requests(world);
        for (int i = 0; i < mine.size(); i++) {
            world.delete(mine.get((i + moment) % mine.size()));
            world.dieAt(moment % 5 + 1, moment % 2 == 0);
            world.controller();
            world.sidecar();
        }
        world.settle();
        assertNothingRemains(world);
        assertThat(world.storeBuckets).hasSize(policy == ReleasePolicy.RETAIN ? 1 : 0);
        assertThat(world.all(Bucket.class)).hasSize(policy == ReleasePolicy.RETAIN ? 1 : 0);
        world.all(Bucket.class).forEach(bucket -> assertThat(bucket.phase()).isEqualTo(BucketPhase.RELEASED));
        world.close();
    }

    @Property(tries = 400)
    void whateverUsersDoItSettlesAndNoSharedDataIsDeleted(
            @ForAll("actionsOfUsers") List<Action> actions,
            @ForAll @IntRange(min = 1, max = 12) int moment,
            @ForAll ReleasePolicy policy) {
        assertSettles(actions, moment, policy);
    }

    @Property(tries = 400)
    void whateverAnybodyDoesItSettlesAndStrangersGetNothing(
            @ForAll("actionsOfAnybody") List<Action> actions,
            @ForAll @IntRange(min = 1, max = 12) int moment,
            @ForAll ReleasePolicy policy) {
        assertSettles(actions, moment, policy);
    }

    /** Neither users nor administrators do anything. */
    @Provide
    Arbitrary<List<Action>> faults() {
        return without(Stream.concat(BY_USERS.stream(), BY_OTHERS.stream())).ofMaxSize(14);
    }

    @Provide
    Arbitrary<List<Action>> actionsOfUsers() {
        return without(Stream.concat(REPAIRED_BY_TIME.stream(), BY_OTHERS.stream()))
                .ofMinSize(3)
                .ofMaxSize(16);
    }

    @Provide
    Arbitrary<List<Action>> actionsOfAnybody() {
        return without(REPAIRED_BY_TIME.stream()).ofMinSize(4).ofMaxSize(30);
    }

    private static ListArbitrary<Action> without(Stream<Action> excluded) {
        Set<Action> actions = EnumSet.allOf(Action.class);
        actions.removeAll(excluded.toList());
        return Arbitraries.of(actions).list();
    }

    private static void assertSettles(List<Action> actions, int moment, ReleasePolicy policy) {
        World world = new World(policy, "b");
        askA(world);
        world.settle();
        askB(world);
        world.settle();
        actions.forEach(action -> act(world, action, moment));
        world.trouble = "";
        world.settle();
        assertThat(world.all(BucketAccess.class))
                .as("strangers are granted nothing")
                .noneMatch(access ->
                        access.getSpec().bucketAccessRequestNamespace().equals("strangers"));
        world.all(BucketAccess.class)
                .forEach(access -> assertThat(access.phase())
                        .as("an access that is not Bound reports why")
                        .isPresent());
        world.all(BucketAccessRequest.class)
                .forEach(request -> assertThat(request.phase() == BucketAccessRequestPhase.BOUND
                                || !request.status().message().isEmpty())
                        .as("%s reports why it is not Bound", request)
                        .isTrue());
        requests(world).forEach(world::delete);
        world.settle();
        assertNothingRemains(world);
        if (policy == ReleasePolicy.RETAIN) {
            assertThat(world.storeBuckets).as("no data is deleted").isNotEmpty();
        } else {
            assertThat(world.all(Bucket.class))
                    .as("a Bucket remains only if its last request lost the permission")
                    .allMatch(bucket -> bucket.getSpec().permittedNamespaces().isEmpty());
            assertThat(world.storeBuckets)
                    .as("every bucket in the store has its Bucket")
                    .containsExactlyInAnyOrderElementsOf(world.all(Bucket.class).stream()
                            .map(bucket -> bucket.getSpec().protocol().bucketName())
                            .toList());
        }
        world.all(Bucket.class)
                .forEach(bucket -> assertThat(bucket.getSpec().bindings()).isEmpty());
        world.close();
    }

    private static void askA(World world) {
        ask(world, "a", "bucketClassName", "fast", "bucketRequestName", "photos");
    }

    private static void askB(World world) {
        ask(world, "b", "bucketInstanceName", BUCKET, "bucketInstance", BUCKET);
    }

    /** Creates the requests that do not exist. */
    private static void ask(World world, String namespace, String field, String value, String via, String target) {
        if (world.request(namespace, "photos").isEmpty()) {
            world.createRequest(namespace, "photos", field, value);
        }
        if (world.accessRequest(namespace, "viewer").isEmpty()) {
            world.createAccess(namespace, "viewer", via, target);
        }
    }

    private static void act(World world, Action action, int moment) {
        switch (action) {
            case CONTROLLER -> world.controller();
            case SIDECAR -> world.sidecar();
            case SETTLE -> world.settle();
            case TIME_PASSES -> world.pass(Duration.ofSeconds(moment));
            case CACHES_LAG -> world.controllerWithStaleCaches(moment * 2);
            case CRASH_BEFORE_A_WRITE, CRASH_AFTER_A_WRITE -> {
                world.dieAt(moment, action == Action.CRASH_AFTER_A_WRITE);
                world.controller();
            }
            case REQUEST_LOST -> world.failAt(moment, Fault.REQUEST_LOST);
            case RESPONSE_LOST -> world.failAt(moment, Fault.RESPONSE_LOST);
            case STORE_IS_DOWN -> world.trouble = "the store is down";
            case STORE_REJECTS ->
                world.trouble = new ProvisionerReport(
                                BucketAccessPhase.FAILED, ProvisionerReason.INVALID_ARGUMENT, "the store refuses")
                        .encode();
            case STORE_RECOVERS -> world.trouble = "";
            case SECRET_DELETED -> copy(world).ifPresent(world::delete);
            case SECRET_EDITED ->
                copy(world)
                        .ifPresent(secret ->
                                world.edit(secret, latest -> latest.getData().put("SECRET_KEY", "wrong")));
            case BINDINGS_EDITED ->
                world.bucket(BUCKET)
                        .ifPresent(bucket -> editSpec(world, bucket, "bindings", List.of("nobody:nowhere/nothing")));
            case ROTATION_REQUESTED ->
                world.accessRequest("a", "viewer")
                        .ifPresent(request ->
                                world.annotate(request, CosiNames.ROTATE_AT, "2026-01-1" + moment % 9 + "T00:00:00Z"));
            case DELETE_REQUEST_OF_A -> world.request("a", "photos").ifPresent(world::delete);
            case DELETE_REQUEST_OF_B -> world.request("b", "photos").ifPresent(world::delete);
            case DELETE_ACCESS_OF_A -> world.accessRequest("a", "viewer").ifPresent(world::delete);
            case DELETE_ACCESS_OF_B -> world.accessRequest("b", "viewer").ifPresent(world::delete);
            case REQUEST_AGAIN_A -> askA(world);
            case REQUEST_AGAIN_B -> askB(world);
            case ADMINISTRATOR_DELETES_BUCKET ->
                world.all(Bucket.class).stream().findFirst().ifPresent(bucket -> {
                    world.deletedByAdministrator.add(bucket.getMetadata().getUid());
                    world.delete(bucket);
                });
            case ADMINISTRATOR_DELETES_ACCESS ->
                world.all(BucketAccess.class).stream().findFirst().ifPresent(world::delete);
            case STRANGER_REQUESTS -> ask(world, "strangers", "bucketInstanceName", BUCKET, "bucketInstance", BUCKET);
            case STRANGER_FORGES ->
                world.request("strangers", "photos").ifPresent(request -> {
                    BucketRequestDecisionTest.setFinalizers(world, request, CosiNames.FINALIZER);
                    world.annotate(request, CosiMetadata.ORIGIN, CosiMetadata.origin(request));
                });
            case STRANGER_GIVES_UP -> world.request("strangers", "photos").ifPresent(world::delete);
            case PERMISSION_IS_WITHDRAWN ->
                world.bucket(BUCKET).ifPresent(bucket -> editSpec(world, bucket, "permittedNamespaces", List.of()));
            case CLASSES_ARE_DELETED -> {
                world.all(BucketClass.class).forEach(world::delete);
                world.all(BucketAccessClass.class).forEach(world::delete);
            }
        }
    }

    private static void editSpec(World world, Bucket bucket, String field, Object value) {
        world.edit(bucket, latest -> latest.setSpec(Specs.with(latest.getSpec(), field, value)));
    }

    private static Optional<Secret> copy(World world) {
        return world.secret("a", "viewer");
    }

    private static List<HasMetadata> requests(World world) {
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(world.all(BucketAccessRequest.class));
        all.addAll(world.all(BucketRequest.class));
        return all;
    }

    private static void assertBound(World world, String namespace) {
        BucketRequest request = world.request(namespace, "photos").orElseThrow();
        BucketAccessRequest accessRequest =
                world.accessRequest(namespace, "viewer").orElseThrow();
        assertThat(request.phase()).as("%s", request.status()).isEqualTo(BucketRequestPhase.BOUND);
        assertThat(accessRequest.phase()).as("%s", accessRequest.status()).isEqualTo(BucketAccessRequestPhase.BOUND);
        BucketAccess access =
                world.access(accessRequest.getSpec().bucketAccessName()).orElseThrow();
        assertThat(access.phase()).contains(BucketAccessPhase.BOUND);
        Bucket bucket = world.bucket(request.getSpec().bucketInstanceName()).orElseThrow();
        assertThat(bucket.getSpec().bindings())
                .hasSize(2)
                .contains(access.getMetadata().getName() + ":" + namespace + "/photos");
        assertThat(world.secret(namespace, "viewer").orElseThrow().getData())
                .containsEntry("SECRET_KEY", world.accounts.get(access.account()));
    }

    private static void assertNothingRemains(World world) {
        assertThat(world.all(BucketRequest.class)).isEmpty();
        assertThat(world.all(BucketAccessRequest.class)).isEmpty();
        assertThat(world.all(BucketAccess.class)).isEmpty();
        assertThat(world.all(Secret.class)).isEmpty();
        assertThat(world.accounts).isEmpty();
    }
}
