package io.bucketwright.volumes.podclaims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a volume gets a claim, and what is said when it does not. */
class ClaimDecisionTest {

    private static final String TEMPLATE = VolumeBench.template("fast");
    private static final long NOW = 1_000;

    private final Map<String, String> annotations =
            new HashMap<>(Map.of(Marks.PREFIX + "data.enabled", "true", Marks.PREFIX + "data.pvc", TEMPLATE));
    private Recollection memory = Recollection.blank();
    private boolean authorize;
    private @Nullable PersistentVolumeClaim existing;

    @Test
    void aVolumeThatAsksGetsTheClaimItNames() {
        PersistentVolumeClaim claim = created();
        assertThat(claim.getMetadata().getName()).isEqualTo("cache");
        assertThat(claim.getMetadata().getNamespace()).isEqualTo("ns");
        assertThat(claim.getMetadata().getLabels()).isEqualTo(Map.of(Marks.MANAGED_BY, "me"));
        assertThat(Marks.controllingPod(claim).map(OwnerReference::getUid)).contains("pod-uid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "True", "TRUE", "t", "1", " true\n"})
    void isOnAsGoWouldReadIt(String enabled) {
        annotations.put(Marks.PREFIX + "data.enabled", enabled);
        assertThat(created()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "False", "f", "0"})
    void isOffSilently(String enabled) {
        annotations.put(Marks.PREFIX + "data.enabled", enabled);
        assertThat(decide()).isEqualTo(Decision.done());
    }

    @ParameterizedTest
    @CsvSource({"yes", "''", "truee"})
    void aWordThatIsNeitherIsTold(String enabled) {
        annotations.put(Marks.PREFIX + "data.enabled", enabled);
        assertThat(told().reason()).isEqualTo(Reason.INVALID_PVC);
    }

    @Test
    void withoutTheAnnotationNothingIsDone() {
        annotations.remove(Marks.PREFIX + "data.enabled");
        assertThat(decide()).isEqualTo(Decision.done());
    }

    @Test
    void aMissingTemplateIsTold() {
        annotations.remove(Marks.PREFIX + "data.pvc");
        assertThat(told().reason()).isEqualTo(Reason.MISSING_PVC);
    }

    @Test
    void aVolumeThatThePodDoesNotHaveIsTold() {
        annotations.put(Marks.PREFIX + "x.y.enabled", "true");
        annotations.put(Marks.PREFIX + "x.y.pvc", TEMPLATE);
        assertThat(told(decide("x.y", pod())).reason()).isEqualTo(Reason.MISSING_VOLUME);
    }

    /** The predecessor wrote ErrMissingVolume after it. */
    @Test
    void aVolumeOfAnotherKindIsToldOnce() {
        annotations.put(Marks.PREFIX + "empty.enabled", "true");
        annotations.put(Marks.PREFIX + "empty.pvc", TEMPLATE);
        Trouble trouble = told(decide("empty", pod()));
        assertThat(trouble.reason()).isEqualTo(Reason.INVALID_PVC);
        memory = memory.withTold(trouble);
        assertThat(decide("empty", pod())).isEqualTo(Decision.finish(Result.requiresChange(trouble.note())));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: Secret | kind",
                "apiVersion: v2 | apiVersion",
                "spec: | no spec",
                "metadata: {namespace: other} | namespace",
                "metadata: {finalizers: [a/b]} | finalizers",
                "spec: {accessModes: {a: b}} | wrong type",
                "spec: text | wrong type"
            })
    void aTemplateThatIsNotOneClaimOfThisNamespaceIsTold(String change, String says) {
        String field = change.substring(0, change.indexOf(':'));
        String without = TEMPLATE.replaceAll("(?s)(^|\n)" + field + ":[^\n]*(\n +[^\n]*)*", "");
        annotations.put(Marks.PREFIX + "data.pvc", without + "\n" + change + "\n");
        assertThat(told().reason()).isEqualTo(Reason.INVALID_PVC);
        assertThat(told().note()).contains(says).contains(Marks.PREFIX + "data.pvc");
    }

    @Test
    void theNamespaceOfThePodMayBeNamed() {
        annotations.put(Marks.PREFIX + "data.pvc", TEMPLATE + "metadata: {namespace: ns}\n");
        assertThat(created().getMetadata().getNamespace()).isEqualTo("ns");
    }

    @Test
    void whatIsThisPodsAlreadyIsLeftAloneEvenWithABadTemplate() {
        existing = claimOf("web", "pod-uid");
        annotations.put(Marks.PREFIX + "data.pvc", "nonsense");
        assertThat(decide()).isEqualTo(Decision.done());
    }

    @Test
    void whatIsAnotherPodsIsTold() {
        existing = claimOf("other", "other-uid");
        assertThat(told().reason()).isEqualTo(Reason.FAILED);
        assertThat(told().note()).contains("pod other");
    }

    @Test
    void anOwnerThatIsNotTheControllerIsNoOwner() {
        PersistentVolumeClaim claim = claimOf("web", "pod-uid");
        claim.getMetadata().getOwnerReferences().getFirst().setController(false);
        existing = claim;
        assertThat(told().reason()).isEqualTo(Reason.FAILED);
    }

    @Test
    void whatIsThePredecessorsOrGoesAnywayIsWaitedForInSilence() {
        existing = claimOf("web", "older-uid");
        assertThat(decide()).isEqualTo(Decision.done());
        PersistentVolumeClaim going = claimOf("other", "other-uid");
        going.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        existing = going;
        assertThat(decide()).isEqualTo(Decision.done());
    }

    @Test
    void aPodThatGoesOrIsGoneGetsNothing() {
        Pod going = pod();
        going.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(decide("data", going)).isEqualTo(Decision.done());
        assertThat(decide("data", null)).isEqualTo(Decision.done());
    }

    @Test
    void ofTwoVolumesThatNameOneClaimTheFirstAsks() {
        annotations.put(Marks.PREFIX + "again.enabled", "true");
        annotations.put(Marks.PREFIX + "again.pvc", VolumeBench.template("other"));
        assertThat(decide("again", pod())).isEqualTo(Decision.done());
        annotations.put(Marks.PREFIX + "data.enabled", "false");
        assertThat(decide("again", pod())).isInstanceOf(Decision.Act.class);
    }

    @Test
    void aLastingRefusalIsToldAndNotTriedAgainUntilTheTemplateChanges() {
        Trouble trouble = new Trouble(Reason.FAILED, "no");
        memory = memory.withRefusal(new Refusal("cache\n" + TEMPLATE, trouble, 1, true, 0));
        assertThat(told()).isEqualTo(trouble);
        memory = memory.withTold(trouble);
        assertThat(decide()).isEqualTo(Decision.finish(Result.requiresChange("no")));
        annotations.put(Marks.PREFIX + "data.pvc", VolumeBench.template("other"));
        assertThat(created().getSpec().getStorageClassName()).isEqualTo("other");
    }

    @Test
    void aPassingRefusalIsTriedAgainWhenItsTimeHasCome() {
        Trouble trouble = new Trouble(Reason.FAILED, "quota");
        memory = memory.withRefusal(new Refusal("cache\n" + TEMPLATE, trouble, 1, false, NOW + 500))
                .withTold(trouble);
        assertThat(decide()).isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofNanos(500))));
        memory = memory.withRefusal(new Refusal("cache\n" + TEMPLATE, trouble, 1, false, NOW));
        assertThat(created()).isNotNull();
    }

    @Test
    void withAuthorizeTheServiceAccountIsAskedForFirstAndForEachTemplateAnew() {
        authorize = true;
        assertThat(decide())
                .isInstanceOfSatisfying(
                        Decision.Act.class, act -> assertThat(act.step()).isInstanceOf(Step.Authorize.class));
        memory = memory.withCleared("cache\n" + TEMPLATE);
        assertThat(created()).isNotNull();
        annotations.put(Marks.PREFIX + "data.pvc", VolumeBench.template("other"));
        assertThat(decide())
                .isInstanceOfSatisfying(
                        Decision.Act.class, act -> assertThat(act.step()).isInstanceOf(Step.Authorize.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "a-",
                "a b",
                "ä",
                "a/b",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void aControllerIdMustFitALabel(String id) {
        assertThatThrownBy(() -> new ControllerId(id)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new ControllerId("a.b_c-D9").value()).isEqualTo("a.b_c-D9");
    }

    private PersistentVolumeClaim created() {
        return Optional.of(decide())
                .filter(Decision.Act.class::isInstance)
                .map(act -> ((Decision.Act<?>) act).step())
                .filter(Step.Create.class::isInstance)
                .map(step -> ((Step.Create) step).claim())
                .orElseThrow(() -> new AssertionError("decided " + decide()));
    }

    private Trouble told() {
        return told(decide());
    }

    private static Trouble told(Decision<Step> decision) {
        return Optional.of(decision)
                .filter(Decision.Act.class::isInstance)
                .map(act -> ((Decision.Act<?>) act).step())
                .filter(Step.Tell.class::isInstance)
                .map(step -> ((Step.Tell) step).trouble())
                .orElseThrow(() -> new AssertionError("decided " + decision));
    }

    private Decision<Step> decide() {
        return decide("data", pod());
    }

    private Decision<Step> decide(String volume, @Nullable Pod pod) {
        VolumeKey key = new VolumeKey(new ObjectKey("ns", "web", "pod-uid"), volume);
        Settings settings = new Settings(new ControllerId("me"), "", authorize, 1);
        return new ClaimDecision(settings).decide(new Observed(key, pod, existing, memory, NOW));
    }

    private Pod pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("web")
                .withUid("pod-uid")
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .addNewVolume()
                .withName("empty")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("cache", false)
                .endVolume()
                .addNewVolume()
                .withName("again")
                .withNewPersistentVolumeClaim("cache", true)
                .endVolume()
                .endSpec()
                .build();
    }

    private static PersistentVolumeClaim claimOf(String pod, String uid) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("cache")
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName(pod)
                .withUid(uid)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }
}
