package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.chart.RenderedChart.Workload;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Prometheus can scrape every Bucketwright process, in any namespace and container: no NetworkPolicy blocks it. */
class ChartMonitoringTest {

    private final List<HasMetadata> objects = RenderedChart.of(ChartRole.all(Map.of(
                    "networkPolicy", Map.of("enabled", true), "monitoring", Map.of("prometheusOperator", "always"))))
            .objects();

    @Test
    void everyBucketwrightContainerListensOnItsMetricsPort() {
        List<Container> ours = workloads()
                .flatMap(workload -> workload.template().getSpec().getContainers().stream())
                .filter(container -> container.getImage().startsWith("bucketwright:"))
                .toList();
        assertThat(ours)
                .extracting(Container::getName)
                .as("a driver in a container of its own")
                .contains("driver");
        assertThat(ours).allSatisfy(container -> {
            assertThat(container.getPorts()).hasSize(1);
            assertThat(container.getArgs())
                    .anyMatch(argument -> argument.endsWith(
                            "listen=0.0.0.0:" + container.getPorts().getFirst().getContainerPort()));
        });
    }

    @Test
    void thePortsOfOnePodHaveNamesAndNumbersOfTheirOwn() {
        workloads().forEach(workload -> {
            List<ContainerPort> ports = ports(workload).toList();
            assertThat(ports)
                    .as(workload.name())
                    .extracting(ContainerPort::getName)
                    .doesNotHaveDuplicates();
            assertThat(ports)
                    .as(workload.name())
                    .extracting(ContainerPort::getContainerPort)
                    .doesNotHaveDuplicates();
        });
    }

    @Test
    void aServiceThatTheMonitorSelectsHasEveryPortInEveryNamespace() {
        Map<String, Service> services = RenderedChart.only(objects, Service.class).stream()
                .collect(Collectors.toMap(service -> service.getMetadata().getNamespace(), service -> service));
        GenericKubernetesResource monitor = objects.stream()
                .filter(object -> object.getKind().equals("ServiceMonitor"))
                .map(object -> Serialization.unmarshal(Serialization.asJson(object), GenericKubernetesResource.class))
                .findFirst()
                .orElseThrow();
        assertThat(namespaces()).containsExactlyInAnyOrder("bucketwright", "azure");
        assertThat(services.keySet()).isEqualTo(namespaces());
        assertThat(monitor.<List<String>>get("spec", "namespaceSelector", "matchNames"))
                .containsExactlyInAnyOrderElementsOf(namespaces());
        Map<String, String> selected = monitor.get("spec", "selector", "matchLabels");
        List<Map<String, String>> endpoints = monitor.get("spec", "endpoints");
        services.values().forEach(service -> {
            assertThat(service.getMetadata().getLabels()).containsAllEntriesOf(selected);
            assertThat(service.getSpec().getPorts().stream()
                            .map(port -> port.getTargetPort().getStrVal())
                            .collect(Collectors.toSet()))
                    .isEqualTo(portNames());
        });
        assertThat(endpoints.stream()
                        .map(endpoint -> String.valueOf(endpoint.get("port")))
                        .collect(Collectors.toSet()))
                .isEqualTo(portNames());
        workloads()
                .forEach(workload -> assertThat(
                                workload.template().getMetadata().getLabels())
                        .containsAllEntriesOf(
                                services.values().iterator().next().getSpec().getSelector()));
    }

    @Test
    void aNetworkPolicyInEveryNamespaceAllowsThePorts() {
        List<NetworkPolicy> policies = RenderedChart.only(objects, NetworkPolicy.class);
        assertThat(policies)
                .extracting(policy -> policy.getMetadata().getNamespace())
                .containsExactlyInAnyOrderElementsOf(namespaces());
        assertThat(policies)
                .allSatisfy(policy -> assertThat(policy.getSpec().getIngress().getFirst().getPorts().stream()
                                .map(port -> port.getPort().getStrVal())
                                .collect(Collectors.toSet()))
                        .isEqualTo(portNames()));
    }

    private Stream<Workload> workloads() {
        return RenderedChart.workloads(objects).stream();
    }

    private Set<String> namespaces() {
        return workloads()
                .map(workload -> workload.object().getMetadata().getNamespace())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> portNames() {
        return workloads()
                .flatMap(ChartMonitoringTest::ports)
                .map(ContainerPort::getName)
                .collect(Collectors.toSet());
    }

    private static Stream<ContainerPort> ports(Workload workload) {
        return workload.template().getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream());
    }
}
