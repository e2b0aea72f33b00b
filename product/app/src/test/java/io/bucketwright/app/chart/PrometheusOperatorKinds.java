package io.bucketwright.app.chart;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The custom resource definitions of the Prometheus Operator that the chart has objects of. They are read from the Go
 * module of the operator, which Go keeps in its cache and checks against its checksum database: a copy of 90 KB would be
 * out of date soon.
 */
final class PrometheusOperatorKinds {

    private static final String MODULE = "github.com/prometheus-operator/prometheus-operator@v0.93.1";

    private PrometheusOperatorKinds() {}

    /** The {@code go} of this machine, if there is one; a machine on which everything is built already needs none. */
    static Optional<Path> go() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("") + ":/usr/local/go/bin:/usr/lib/go/bin";
        return Stream.of(path.split(":", -1))
                .map(folder -> Path.of(folder, "go"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static List<CustomResourceDefinition> download(Path go, Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(go.toString(), "mod", "download", "-json", MODULE)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("go mod download " + MODULE + " failed: " + answer);
        }
        Path module = Path.of(new ObjectMapper().readTree(answer).get("Dir").asText());
        List<CustomResourceDefinition> definitions = new ArrayList<>();
        for (String kind : List.of("servicemonitors", "prometheusrules")) {
            Path file = module.resolve("example/prometheus-operator-crd/monitoring.coreos.com_" + kind + ".yaml");
            definitions.add(Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class));
        }
        return definitions;
    }
}
