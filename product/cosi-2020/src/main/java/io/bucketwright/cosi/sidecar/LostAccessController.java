package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes, decides and acts for Secrets whose BucketAccess vanished: the Secret is the record of what was issued, and its
 * finalizer keeps it.
 */
final class LostAccessController {

    private static final Logger log = LoggerFactory.getLogger(LostAccessController.class);

    private final SidecarContext context;
    private final InFlightState<ObjectKey, LostAccessState> inFlight;

    private LostAccessController(SidecarContext context) {
        this.context = context;
        this.inFlight = context.runtime().inFlight(LostAccessState.NONE);
    }

    static void register(SidecarContext context) {
        SidecarCaches caches = context.caches();
        LostAccessController loop = new LostAccessController(context);
        Controller<ObjectKey> controller = context.runtime()
                .controller(
                        "cosi-lostaccess-sidecar",
                        loop::observe,
                        LostAccessDecision::decide,
                        loop.inFlight,
                        LostAccessStep.class,
                        loop::revoke)
                .workers(1)
                .watch(caches.secrets, Function.identity())
                .watchRelated(caches.accesses, caches::secretKeyOf);
        context.driver().onChange(() -> caches.secrets.list().forEach(secret -> controller.add(ObjectKey.of(secret))));
    }

    private LostAccessObservation observe(ObjectKey key) {
        Optional<Secret> secret = context.caches()
                .secrets
                .get(key.namespace(), key.name())
                .filter(key::names)
                .filter(found ->
                        !Metadata.annotation(found, CosiNames.BUCKET_ACCESS_UID).isEmpty())
                .filter(found -> Metadata.hasFinalizer(found, CosiNames.PROVISIONER_FINALIZER))
                .filter(found -> context.caches().accessKeysOf(found).isEmpty());
        Optional<Bucket> bucket = secret.flatMap(
                        found -> Optional.ofNullable(SecretData.of(found).get(ConnectionDataKey.BUCKET_NAME.key())))
                .flatMap(name -> context.caches().bucketOf(name.reveal()));
        return new LostAccessObservation(
                secret, bucket, context.preconditions(bucket.orElse(null)), inFlight.get(key), inFlight.failure(key));
    }

    private Outcome revoke(ObjectKey key, LostAccessStep step) {
        return context.driver()
                .driver()
                .revoke(step.order(), () -> inFlight.remaining(key))
                .removalOutcome(
                        () -> {
                            inFlight.update(key, state -> state.withRevoked(step.account()));
                            inFlight.clearFailure(key);
                            log.info(
                                    "Revoked account {}, whose BucketAccess no longer exists: somebody removed its finalizers",
                                    step.account());
                        },
                        problem -> inFlight.recordFailure(key, DriverMethod.REVOKE_ACCESS, step.inputs(), problem));
    }
}
