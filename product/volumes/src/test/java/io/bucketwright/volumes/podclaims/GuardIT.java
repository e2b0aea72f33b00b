package io.bucketwright.volumes.podclaims;

import static io.bucketwright.testing.Eventually.await;
import static io.bucketwright.volumes.podclaims.VolumeFixture.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.LocalCluster;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.SmallClusters;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Who may get a claim through a pod: the permissions of the pod's creator and of its service account. */
@OnCluster
@ResourceLock("pod claims of all namespaces")
@Order(2)
class GuardIT {

    private static final PolicyRule WORKLOADS = new PolicyRuleBuilder()
            .withApiGroups("", "apps", "batch")
            .withResources("pods", "deployments", "cronjobs")
            .withVerbs("*")
            .build();

    private static final PolicyRule CLAIMS = TestCluster.rule("", List.of("persistentvolumeclaims"), "create");

    @Test
    void withTheGuardAUserWhoMayNotCreateClaimsCannotCreateAWorkloadThatRequestsOne(TestCluster cluster)
            throws IOException {
        ApiUser with = cluster.user("with", List.of(WORKLOADS, CLAIMS));
        ApiUser without = cluster.user("without", List.of(WORKLOADS));
        try (VolumeFixture bench = new VolumeFixture(cluster);
                KubernetesClient allowed = with.client();
                KubernetesClient refused = without.client();
                FileInputStream guard = new FileInputStream("../../deploy/pod-claims-guard.yaml")) {
            cluster.admin().load(guard).items().forEach(bench::create);
            Pod asking = bench.waiting("asking", Map.of("data", "cache"), Map.of("data", template("fast")));
            await("the guard to be enforced")
                    .until(() -> answer(refused, asking).contains("may not create one"));
            assertThat(answer(refused, asking)).contains("PersistentVolumeClaim", without.name(), bench.namespace());

            Pod silent = bench.waiting("silent", Map.of(), Map.of());
            assertThat(answer(refused, silent))
                    .as("a pod that asks for nothing")
                    .isEmpty();
            assertThat(change(refused, silent, PodClaimAnnotations.PREFIX + "data.enabled"))
                    .as("asking later")
                    .contains("may not create one");
            assertThat(change(refused, silent, "note")).as("another annotation").isEmpty();

            Pod granted = bench.waiting("granted", Map.of("data", "cache"), Map.of("data", template("fast")));
            assertThat(answer(allowed, granted)).isEmpty();
            assertThat(change(refused, granted, "note"))
                    .as("a change that asks for nothing more")
                    .isEmpty();

            for (HasMetadata workload : List.of(deployment(asking), cronJob(asking))) {
                assertThat(answer(refused, workload)).contains("may not create one");
                assertThat(answer(allowed, workload)).isEmpty();
            }
            assertThat(answer(refused, cronJob(silent))).isEmpty();

            assertThat(changeDeployment(refused, asking, spec -> spec.setReplicas(0)))
                    .as("a change that requests nothing more")
                    .isEmpty();
            assertThat(changeDeployment(
                            refused,
                            asking,
                            spec -> spec.getTemplate()
                                    .getSpec()
                                    .getVolumes()
                                    .getFirst()
                                    .getPersistentVolumeClaim()
                                    .setClaimName("another")))
                    .as("the name of another claim, with the same annotations")
                    .contains("may not create one");
        }
    }

    @Test
    void withAuthorizeThePodsServiceAccountMustBeAbleToCreateClaims(TestCluster cluster) {
        ApiUser user = VolumeFixture.deployed(
                cluster, "pod-claims", "bucketwright-pod-claims", "bucketwright-pod-claims-authorize");
        try (VolumeFixture bench = new VolumeFixture(cluster)) {
            bench.provisioner(user, builder -> builder.authorize(true));
            bench.pod("web", "cache", template("fast"));
            assertThat(bench.awaitEvent("Pod", "web", "ErrPVCProvisionFailed"))
                    .contains("Service account default may not create");
            assertThat(bench.claim("cache")).isNull();
            bench.create(new RoleBindingBuilder()
                    .withNewMetadata()
                    .withNamespace(bench.namespace())
                    .withName("claims")
                    .endMetadata()
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "edit")
                    .addNewSubject("", "ServiceAccount", "default", bench.namespace())
                    .build());
            bench.awaitClaim("cache");
            assertThat(bench.reasons("Pod", "web")).contains("ErrPVCProvisionFailed");
            bench.awaitEvent("Pod", "web", "PVCProvisioned");
            bench.awaitPodsSettled();
            RequestCounts requests = cluster.requests(user);
            assertThat(requests.of("create", "persistentvolumeclaims")).isEqualTo(1);
            assertThat(requests.of("create", "subjectaccessreviews")).isGreaterThan(1);
            assertThat(requests.reads()).isZero();
        }
    }

    /** The role of dynamic-pvc-provisioner lacked what blockOwnerDeletion needs where that is enforced, as on OpenShift. */
    @Test
    void theDeployedPermissionsAreEnoughWhereOwnerReferencesAreEnforced() throws Exception {
        try (LocalCluster local = SmallClusters.builder(List.of())
                .apiServerFlag("--enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement")
                .start()) {
            Config admin = direct(local.kubeconfig());
            try (KubernetesClient client =
                            new KubernetesClientBuilder().withConfig(admin).build();
                    FileInputStream rbac = new FileInputStream("../../deploy/volumes-rbac.yaml")) {
                client.load(rbac).serverSideApply();
                Config account = new ConfigBuilder(admin)
                        .withImpersonateUsername("system:serviceaccount:bucketwright:bucketwright-pod-claims")
                        .build();
                try (ControllerProcess provisioner = ClientOptions.config(PodClaimProvisioner.builder(), account)
                        .controllerId("enforced")
                        .lease("bucketwright", "pod-claims", LeaseTiming.standard())
                        .build()
                        .start()) {
                    provisioner.awaitReady();
                    Pod pod = VolumeFixture.waiting(
                            "default", "web", Map.of("data", "cache"), Map.of("data", template("fast")));
                    await("the pod").until(() -> answer(client, pod).isEmpty());
                    await("its claim")
                            .until(() -> client.persistentVolumeClaims()
                                            .inNamespace("default")
                                            .withName("cache")
                                            .get()
                                    != null);
                }
            }
        }
    }

    private static Config direct(Path kubeconfig) throws IOException {
        return new ConfigBuilder(Config.fromKubeconfig(Files.readString(kubeconfig)))
                .withHttpProxy(null)
                .withHttpsProxy(null)
                .build();
    }

    /** The message with which the API server rejects the object; empty if it accepts it. */
    private static String answer(KubernetesClient client, HasMetadata object) {
        return answer(() -> client.resource(object).create());
    }

    private static String answer(Runnable request) {
        try {
            request.run();
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String change(KubernetesClient client, Pod pod, String annotation) {
        return answer(() -> client.resource(pod)
                .edit(current -> new PodBuilder(current)
                        .editMetadata()
                        .addToAnnotations(annotation, "true")
                        .endMetadata()
                        .build()));
    }

    private static String changeDeployment(KubernetesClient client, Pod pod, Consumer<DeploymentSpec> change) {
        String answer;
        do {
            answer = answer(() -> client.apps()
                    .deployments()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .edit(deployment -> {
                        change.accept(deployment.getSpec());
                        return deployment;
                    }));
            // The controller of deployments may have written its status meanwhile.
        } while (answer.contains("the object has been modified"));
        return answer;
    }

    private static HasMetadata deployment(Pod pod) {
        return new DeploymentBuilder()
                .withMetadata(metadata(pod))
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", "a")
                .endSelector()
                .withTemplate(podTemplate(pod, "Always"))
                .endSpec()
                .build();
    }

    private static HasMetadata cronJob(Pod pod) {
        return new CronJobBuilder()
                .withMetadata(metadata(pod))
                .withNewSpec()
                .withSchedule("0 0 1 1 *")
                .withNewJobTemplate()
                .withNewSpec()
                .withTemplate(podTemplate(pod, "Never"))
                .endSpec()
                .endJobTemplate()
                .endSpec()
                .build();
    }

    private static ObjectMeta metadata(Pod pod) {
        return new ObjectMetaBuilder()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .build();
    }

    private static PodTemplateSpec podTemplate(Pod pod, String restartPolicy) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withAnnotations(pod.getMetadata().getAnnotations())
                .addToLabels("app", "a")
                .endMetadata()
                .withNewSpecLike(pod.getSpec())
                .withRestartPolicy(restartPolicy)
                .endSpec()
                .build();
    }
}
