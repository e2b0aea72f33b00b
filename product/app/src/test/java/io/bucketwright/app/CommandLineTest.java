package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.CapturedLog;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a person sees who asks wrongly, and how flags and variables meet. */
class CommandLineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path dir;

    static Stream<List<String>> wrong() {
        return Stream.of(
                List.of(),
                List.of("demos"),
                List.of("--log-level", "loud", "crds"),
                List.of("controller", "--only", "bukets"),
                List.of("controller", "--store", "ceph"),
                List.of("directory-provisioner"),
                List.of("directory-provisioner", "--storage-asset-root", "relative"),
                List.of("directory-provisioner", "--storage-asset-root", "/srv/../etc"),
                List.of("directory-provisioner", "--storage-asset-root", "/srv", "--usage-interval", "often"),
                List.of("directory-provisioner", "--storage-asset-root", "/srv", "--workers", "0"),
                List.of("directory"),
                List.of("directory", "provisioner"),
                List.of("directory", "provisioner", "--storage-asset-root", "relative"),
                List.of("directory", "restore", "x"),
                List.of("directory", "archives", "--storage-asset-root", "relative"),
                List.of("controller", "--workers", "0"),
                List.of("controller", "--listen", "8080"),
                List.of("controller", "--orphan-grace-period", "soon"),
                List.of("controller", "--provisioner", ""),
                List.of("cosi"),
                List.of("cosi", "insanity"),
                List.of("claim"),
                List.of("claim", "lsit"),
                List.of("claim", "list", "-o", "xml"),
                List.of("claim", "describe"),
                List.of("claim", "create"),
                List.of("claim", "create", "photos", "--generate-name", "a", "--bucket", "b"),
                List.of("claim", "create", "photos", "--wait", "--timeout", "soon"),
                List.of("claim", "create", "photos", "--option", "novalue"),
                List.of("claim", "rotate", "one", "two"),
                List.of("claim", "adopt", "b", "--class", "c", "--claim", "d", "--yes"),
                List.of("claim", "adopt", "b", "--class", "c", "--claim", "d", "--from-cluster", "e"),
                List.of(
                        "claim",
                        "adopt",
                        "b",
                        "--class",
                        "c",
                        "--claim",
                        "d",
                        "--from-cluster",
                        "e",
                        "--yes",
                        "--orphaned"),
                List.of("claim", "transfer", "-A", "--class", "c", "--from-cluster", "e", "photos"),
                List.of("claim", "delete"),
                List.of("claim", "take-over", "--help"),
                List.of("claims", "--help"),
                List.of("claim", "delete", "--help", "a", "b", "c"),
                List.of("cosi", "controller", "--lease-duration", "0s"),
                List.of("cosi", "sidecar", "--with-driver", "--store", "none"),
                List.of("cosi", "sidecar", "--provisioner", "ns/a", "--with-driver", "--store", "ceph"),
                List.of("cosi", "sidecar", "--provisioner", "ns/a", "--with-driver", "--param", "endpiont=x"),
                List.of("cosi", "adapter"),
                List.of("cosi", "transfer", "--provisioner", "store/s3.example.com"),
                List.of("cosi", "sanity", "--endpoint", "tcp://localhost:80"),
                List.of("cosi", "sanity", "--timeout", "soon"),
                List.of("cosi", "sanity", "--only", "nothing-"),
                List.of("cosi", "sanity", "--param", "novalue"),
                List.of("cosi", "sanity", "--junit-report", "/no/such/directory/report.xml"),
                List.of("doctor", "--store", "ceph"),
                List.of("directory-provisioner", "--storage-asset-root", "/srv", "-c", "/a", "--kubeconfig", "/b"),
                List.of("cosi", "driver", "--store", "ceph"),
                List.of("cosi", "driver", "--listen", "0.0.0.0:80"),
                List.of("cosi", "driver", "--name", "two words"),
                List.of("cosi", "driver", "--param", "endpiont=http://localhost"),
                List.of("cosi", "driver", "--secret", "hunter2"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aWrongCommandLineIsOneSentenceAndExitCode2(List<String> arguments) {
        assertThat(run(Map.of(), arguments)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines().findFirst())
                .hasValueSatisfying(
                        line -> assertThat(line).startsWith("bucketwright: ").endsWith(" --help`."));
        assertThat(err.toString()).doesNotContain("\tat ");
    }

    /** As in an image. The test of the tools has what a clone does. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "demo --keep",
                "local up --with s3",
                "image --help",
                "--log-level debug bench buckets -n 20",
            })
    void aToolOfACloneIsMissing(String command) {
        assertThat(run(Map.of(), List.of(command.split(" ", -1)))).isEqualTo(2);
        assertThat(err.toString())
                .containsPattern("^bucketwright: `bucketwright (demo|local|image|bench)` is a tool of a clone\\.")
                .contains("not part of the image")
                .hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void theHelpHasNoToolsThatAreMissing() {
        assertThat(run(Map.of(), List.of("--help"))).isZero();
        assertThat(out.toString()).contains("controller").doesNotContain("demo", "bench", "tool of a clone");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "claim list",
                "claim describe a",
                "claim create a",
                "claim rotate a",
                "claim delete a",
                "bucket list --class a",
                "bucket access a"
            })
    void anUnreachableApiServerIsOneSentence(String command) throws IOException {
        String flags = " --kubeconfig " + kubeconfig("https://127.0.0.1:9");
        assertThat(run(Map.of(), List.of((command + flags).split(" ", -1)))).isEqualTo(1);
        assertThat(err.toString().trim().lines()).hasSize(1);
        assertThat(err.toString())
                .startsWith("bucketwright: The API server at https://127.0.0.1:9/ cannot be reached:")
                .doesNotContain("abc");
    }

    @Test
    void aControllerReportsAnUnreachableApiServerInOneSentenceAndRetries() throws IOException {
        Config config = Config.fromKubeconfig(Files.readString(Path.of(kubeconfig("https://127.0.0.1:7"))));
        try (CapturedLog log = new CapturedLog();
                ControllerProcess process = ClientOptions.config(ControllerProcess.builder(), config)
                        .build()) {
            ApiServerOptions.reportUnreachable(process, config, LoggerFactory.getLogger("io.bucketwright.app.Test"));
            // Other test classes log at the same time.
            assertThat(log.text().lines().filter(line -> line.contains("127.0.0.1:7/")))
                    .singleElement()
                    .asString()
                    .startsWith("The API server at https://127.0.0.1:7/ cannot be reached: ")
                    .endsWith("Retrying; the process is not ready until then.");
            assertThat(log.stackTraces()).noneMatch(line -> line.contains("127.0.0.1:7/"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"claim list", "controller --listen 127.0.0.1:0"})
    void rejectedCredentialsAreOneSentence(String command) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            assertThat(run(Map.of(), List.of((command + " --kubeconfig " + kubeconfig(url)).split(" ", -1))))
                    .isEqualTo(1);
        } finally {
            server.stop(0);
        }
        assertThat(err.toString())
                .startsWith("bucketwright: Unauthorized: the API server rejected the credentials in the kubeconfig.")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"controller", "cosi controller", "cosi sidecar --provisioner ns/driver"})
    void aPortInUseIsOneSentence(String command) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + other.getLocalPort();
            List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
            arguments.addAll(List.of("--listen", address, "--kubeconfig", kubeconfig("https://127.0.0.1:9")));
            assertThat(run(Map.of(), arguments)).isEqualTo(1);
            assertThat(err.toString())
                    .startsWith("bucketwright: Cannot listen on " + address + " for health checks and metrics: ")
                    .endsWith("Set --listen to a free port.\n")
                    .hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "controller --kubeconfig",
                "pv-releaser -controller-id=a -lease-lock-name=b -lease-lock-namespace=c -kubeconfig",
                "directory-provisioner --storage-asset-root /srv -c",
                "directory provisioner --storage-asset-root /srv --kubectl-config"
            })
    void aMissingKubeconfigIsOneSentence(String command) {
        assertThat(run(Map.of(), List.of((command + " /nowhere").split(" ", -1))))
                .isEqualTo(2);
        assertThat(err.toString().trim()).isEqualTo("bucketwright: The kubeconfig /nowhere cannot be read.");
    }

    @Test
    void aKubeconfigThatIsNoneIsOneSentence() throws IOException {
        Path file = Files.writeString(dir.resolve("kubeconfig"), "users: [{user: token: }");
        assertThat(run(Map.of(), List.of("controller", "--kubeconfig", file.toString())))
                .isEqualTo(2);
        assertThat(err.toString().trim()).isEqualTo("bucketwright: The file " + file + " is not a valid kubeconfig.");
    }

    /** The server has nothing, so a command that reached it would fail with another message. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "claim list",
                "claim delete mine",
                "claim create mine --class fast",
                "claim rotate mine",
                "bucket list --class fast",
                "bucket access mine",
                "doctor",
                "controller",
                "cosi controller",
                "cosi adapter --node-name a"
            })
    void anUnknownContextIsAnErrorBeforeAnythingIsDone(String command) throws IOException {
        Path file = Path.of(kubeconfig("https://127.0.0.1:9"));
        List<String> arguments = new ArrayList<>(List.of((command + " --context production-typo").split(" ", -1)));
        arguments.addAll(List.of("--kubeconfig", file.toString()));
        assertThat(run(Map.of(), arguments)).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("bucketwright: There is no context \"production-typo\" in the kubeconfig ")
                .hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aContextOfTheKubeconfigIsUsed() throws IOException {
        String file = kubeconfig("https://127.0.0.1:9");
        assertThat(run(Map.of(), List.of("claim", "list", "--context", "here", "--kubeconfig", file)))
                .isEqualTo(1);
        assertThat(err.toString()).contains("The API server at https://127.0.0.1:9/ cannot be reached");
    }

    @Test
    void theCrdsArePrintedForKubectl() {
        assertThat(run(Map.of(), List.of("crds"))).isZero();
        assertThat(out.toString())
                .contains("name: objectbucketclaims.objectbucket.io", "name: objectbuckets.objectbucket.io")
                .contains("name: bucketclaims.objectstorage.k8s.io", "name: buckets.objectstorage.k8s.io")
                .doesNotContain("cosi.io\n");
    }

    @Test
    void theCrdsOfTheDesignOf2020ArePrintedOnRequest() {
        assertThat(run(Map.of(), List.of("crds", "--only", "cosi"))).isZero();
        assertThat(out.toString())
                .contains("name: bucketrequests.cosi.io", "name: bucketaccessclasses.cosi.io")
                .doesNotContain("objectstorage.k8s.io");
    }

    private String kubeconfig(String server) throws IOException {
        return StubApiServer.kubeconfig(dir, server).toString();
    }

    private int run(Map<String, String> environment, List<String> arguments) {
        return Main.commandLine()
                .setDefaultValueProvider(new EnvironmentDefaults(environment))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }
}
