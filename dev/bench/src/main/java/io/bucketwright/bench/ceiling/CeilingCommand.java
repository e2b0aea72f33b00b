package io.bucketwright.bench.ceiling;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.http.ApiClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright bench ceiling}: the process that {@code bench} starts to measure the ceiling. */
@Command(
        name = "ceiling",
        hidden = true,
        mixinStandardHelpOptions = true,
        description = "Repeats recorded writes for the objects that the bench names. Started by `bucketwright bench`.")
public final class CeilingCommand extends BaseCommand {

    @Option(names = "--kubeconfig", required = true, paramLabel = "FILE", description = "Path of the kubeconfig.")
    private Path kubeconfig = Path.of("");

    @Option(names = "--script", required = true, paramLabel = "FILE", description = "File with the recorded writes.")
    private Path script = Path.of("");

    @Option(names = "--socket", required = true, paramLabel = "PATH", description = "Socket of the bench.")
    private Path socket = Path.of("");

    @Option(names = "--workers", required = true, paramLabel = "N", description = "Number of connections.")
    private int workers;

    private final Map<String, ObjectReplay> replays = new ConcurrentHashMap<>();
    private final BlockingQueue<ReplayRequest> queue = new LinkedBlockingQueue<>();

    @Override
    public Integer call() throws InterruptedException {
        try (ApiClient client = ApiClient.of(kubeconfig)) {
            WriteScript writes = WriteScript.load(script);
            CountDownLatch connected = new CountDownLatch(workers);
            for (int i = 0; i < workers; i++) {
                Thread.ofPlatform().daemon().name("writer-" + i).start(() -> work(client, writes, connected));
            }
            // What a connection costs is not part of the first phase.
            connected.await();
            read();
            return 0;
        } catch (IOException e) {
            throw new CommandException("The ceiling cannot be measured: " + e.getMessage(), e);
        }
    }

    /** Until the bench closes the socket. */
    private void read() throws IOException, InterruptedException {
        ObjectMapper json = new ObjectMapper();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                BufferedReader lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                queue.put(json.readValue(line, ReplayRequest.class));
            }
        }
    }

    @SuppressWarnings("SystemExitOutsideMain") // a writer that failed would leave the bench waiting
    private void work(ApiClient client, WriteScript writes, CountDownLatch connected) {
        try {
            var _ = client.get("/version").require();
            connected.countDown();
            while (true) {
                ReplayRequest request = queue.take();
                ObjectReplay replay = replays.computeIfAbsent(request.name(), ObjectReplay::new);
                replay.run(client, request.objects(), request.delete() ? writes.delete() : writes.bind());
                if (request.delete()) {
                    replays.remove(request.name());
                }
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("bucketwright: The ceiling failed: " + e.getMessage());
            System.exit(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
