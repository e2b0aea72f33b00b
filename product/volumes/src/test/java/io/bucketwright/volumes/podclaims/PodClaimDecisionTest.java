package io.bucketwright.volumes.podclaims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a claim is created for a volume, and what is reported when it is not. */
class PodClaimDecisionTest {

    private static final String PREFIX = PodClaimAnnotations.PREFIX;
    private static final String TEMPLATE = VolumeFixture.template("fast");

    private final Map<String, String> annotations =
            new HashMap<>(Map.of(PREFIX + "data.enabled", "true", PREFIX + "data.pvc", TEMPLATE));
    private String authorizedInputs = "";
    private @Nullable FailedAttempt failure;
    private boolean authorize;
    private @Nullable PersistentVolumeClaim existing;

    @Test
    void theClaimHasTheNameThatTheVolumeRefersTo() {
        PersistentVolumeClaim claim = created();
        assertThat(claim.getMetadata().getName()).isEqualTo("cache");
        assertThat(claim.getMetadata().getNamespace()).isEqualTo("ns");
        assertThat(claim.getMetadata().getLabels()).isEqualTo(Map.of(PodClaimAnnotations.MANAGED_BY, "me"));
        assertThat(PodClaimAnnotations.controllingPod(claim).map(OwnerReference::getUid))
                .contains("pod-uid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "True", "TRUE", "t", "1", " true\n"})
    void isEnabledAsGoParsesIt(String enabled) {
        annotations.put(PREFIX + "data.enabled", enabled);
        assertThat(created()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "False", "f", "0"})
    void isDisabledWithoutAnEvent(String enabled) {
        annotations.put(PREFIX + "data.enabled", enabled);
        assertThat(decide()).isEqualTo(Decision.done());
    }

    @ParameterizedTest
    @CsvSource({"yes", "''", "truee"})
    void anInvalidValueIsReported(String enabled) {
        annotations.put(PREFIX + "data.enabled", enabled);
        assertThat(reported().reason()).isEqualTo(PodClaimReason.INVALID_PVC);
    }

    @Test
    void aPodThatRequestsTooManyClaimsIsReportedOnceAndNoVolumeIsServed() {
        for (int volume = 1; volume < VolumeRequest.MOST_VOLUMES; volume++) {
            annotations.put(PREFIX + "v" + volume + ".enabled", "true");
        }
        assertThat(created()).isNotNull();
        annotations.put(PREFIX + "one-more.enabled", "true");
        assertThat(decide()).isEqualTo(Decision.done());
        Pod pod = pod();
        VolumeKey whole = VolumeKey.wholePod(ObjectKey.of(pod));
        Decision<Step> reported = new PodClaimDecision(new ControllerId("me"), false)
                .decide(new PodClaimObservation(whole, pod, null, "", null));
        assertThat(reported.toString()).contains("ObjectTooLarge", "33 volumes", "at most 32");
    }

    @Test
    void withoutTheAnnotationNothingIsDone() {
        annotations.remove(PREFIX + "data.enabled");
        assertThat(decide()).isEqualTo(Decision.done());
    }

    @Test
    void aMissingTemplateIsReported() {
        annotations.remove(PREFIX + "data.pvc");
        assertThat(reported().reason()).isEqualTo(PodClaimReason.MISSING_PVC);
    }

    @Test
    void aVolumeThatThePodDoesNotHaveIsReported() {
        request("x.y", TEMPLATE);
        assertThat(reported(decide("x.y", pod())).reason()).isEqualTo(PodClaimReason.MISSING_VOLUME);
    }

    /** dynamic-pvc-provisioner wrote ErrMissingVolume after it. */
    @Test
    void aVolumeOfAnotherKindIsReported() {
        request("empty", TEMPLATE);
        Problem problem = reported(decide("empty", pod()));
        assertThat(problem.reason()).isEqualTo(PodClaimReason.INVALID_PVC);
        assertThat(result(decide("empty", pod()))).isEqualTo(Result.requiresChange(problem.message()));
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
    void aTemplateThatIsNotOneClaimOfThisNamespaceIsReported(String change, String expected) {
        String field = change.substring(0, change.indexOf(':'));
        String without = TEMPLATE.replaceAll("(?s)(^|\n)" + field + ":[^\n]*(\n +[^\n]*)*", "");
        annotations.put(PREFIX + "data.pvc", without + "\n" + change + "\n");
        assertThat(reported().reason()).isEqualTo(PodClaimReason.INVALID_PVC);
        assertThat(reported().message()).contains(expected).contains(PREFIX + "data.pvc");
    }

    @Test
    void theTemplateMayContainTheNamespaceOfThePod() {
        annotations.put(PREFIX + "data.pvc", TEMPLATE + "metadata: {namespace: ns}\n");
        assertThat(created().getMetadata().getNamespace()).isEqualTo("ns");
    }

    @Test
    void aClaimOfThisPodIsNotChangedEvenWithAnInvalidTemplate() {
        existing = claimOf("web", "pod-uid");
        annotations.put(PREFIX + "data.pvc", "nonsense");
        assertThat(decide()).isEqualTo(Decision.done());
    }

    @Test
    void aClaimOfAnotherPodIsReported() {
        existing = claimOf("other", "other-uid");
        assertThat(reported().reason()).isEqualTo(PodClaimReason.FAILED);
        assertThat(reported().message()).contains("pod other");
    }

    @Test
    void anOwnerThatIsNotTheControllerDoesNotCount() {
        PersistentVolumeClaim claim = claimOf("web", "pod-uid");
        claim.getMetadata().getOwnerReferences().getFirst().setController(false);
        existing = claim;
        assertThat(reported().reason()).isEqualTo(PodClaimReason.FAILED);
    }

    @Test
    void aClaimOfAFormerPodOrBeingDeletedIsNotReported() {
        existing = claimOf("web", "older-uid");
        assertThat(decide()).isEqualTo(Decision.done());
        PersistentVolumeClaim deleted = claimOf("other", "other-uid");
        deleted.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        existing = deleted;
        assertThat(decide()).isEqualTo(Decision.done());
    }

    @Test
    void nothingIsDoneForADeletedPod() {
        Pod deleted = pod();
        deleted.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(decide("data", deleted)).isEqualTo(Decision.done());
        assertThat(decide("data", null)).isEqualTo(Decision.done());
    }

    @Test
    void ofTwoVolumesThatReferToOneClaimTheFirstRequestsIt() {
        request("again", VolumeFixture.template("other"));
        assertThat(decide("again", pod())).isEqualTo(Decision.done());
        annotations.put(PREFIX + "data.enabled", "false");
        assertThat(decide("again", pod())).isInstanceOf(Decision.Act.class);
    }

    @Test
    void anInvalidClaimIsReportedAndNotRetriedUntilTheTemplateChanges() {
        Problem problem = Problem.requiresChange(PodClaimReason.FAILED, "no");
        failure = failed(problem, Duration.ZERO);
        assertThat(reported()).isEqualTo(problem);
        assertThat(result(decide())).isEqualTo(Result.requiresChange("no"));
        annotations.put(PREFIX + "data.pvc", VolumeFixture.template("other"));
        assertThat(created().getSpec().getStorageClassName()).isEqualTo("other");
    }

    @Test
    void aForbiddenClaimIsRetriedAfterItsBackOff() {
        Problem problem = Problem.requiresUnwatchedChange(PodClaimReason.FAILED, "quota");
        failure = failed(problem, Duration.ofMillis(500));
        assertThat(result(decide())).isEqualTo(Result.requeueAfter(Duration.ofMillis(500)));
        failure = failed(problem, Duration.ZERO);
        assertThat(created()).isNotNull();
    }

    @Test
    void withAuthorizeThePermissionIsCheckedFirstAndForEachTemplate() {
        authorize = true;
        assertThat(step(decide(), PodClaimCall.Authorize.class)).isNotNull();
        authorizedInputs = "cache\n" + TEMPLATE;
        assertThat(created()).isNotNull();
        annotations.put(PREFIX + "data.pvc", VolumeFixture.template("other"));
        assertThat(step(decide(), PodClaimCall.Authorize.class)).isNotNull();
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
    void aControllerIdMustBeALabelValue(String id) {
        assertThatThrownBy(() -> new ControllerId(id)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new ControllerId("a.b_c-D9").value()).isEqualTo("a.b_c-D9");
    }

    private void request(String volume, String template) {
        annotations.put(PREFIX + volume + ".enabled", "true");
        annotations.put(PREFIX + volume + ".pvc", template);
    }

    private static FailedAttempt failed(Problem problem, Duration retryIn) {
        return new FailedAttempt(PodClaimController.CREATE, "cache\n" + TEMPLATE, problem, 1, retryIn);
    }

    private PersistentVolumeClaim created() {
        return step(decide(), PodClaimCall.CreateClaim.class).claim();
    }

    private Problem reported() {
        return reported(decide());
    }

    private static Problem reported(Decision<Step> decision) {
        return step(decision, Step.Report.class).problem();
    }

    /** How reconciling ends after the report. */
    private static Result result(Decision<Step> decision) {
        return step(decision, Step.Report.class).result();
    }

    private static <T extends Step> T step(Decision<Step> decision, Class<T> type) {
        if (decision instanceof Decision.Act<Step>(Step step) && type.isInstance(step)) {
            return type.cast(step);
        }
        throw new AssertionError("decided " + decision);
    }

    private Decision<Step> decide() {
        return decide("data", pod());
    }

    private Decision<Step> decide(String volume, @Nullable Pod pod) {
        VolumeKey key = new VolumeKey(new ObjectKey("ns", "web", "pod-uid"), volume);
        PodClaimDecision decision = new PodClaimDecision(new ControllerId("me"), authorize);
        return decision.decide(new PodClaimObservation(key, pod, existing, authorizedInputs, failure));
    }

    private Pod pod() {
        Pod pod = Serialization.unmarshal("""
                metadata: {namespace: ns, name: web, uid: pod-uid}
                spec:
                  volumes:
                  - {name: empty, emptyDir: {}}
                  - {name: data, persistentVolumeClaim: {claimName: cache}}
                  - {name: again, persistentVolumeClaim: {claimName: cache, readOnly: true}}
                """, Pod.class);
        pod.getMetadata().setAnnotations(annotations);
        return pod;
    }

    private static PersistentVolumeClaim claimOf(String pod, String uid) {
        return Serialization.unmarshal("""
                metadata:
                  namespace: ns
                  name: cache
                  ownerReferences: [{apiVersion: v1, kind: Pod, name: %s, uid: %s, controller: true}]
                """.formatted(pod, uid), PersistentVolumeClaim.class);
    }
}
