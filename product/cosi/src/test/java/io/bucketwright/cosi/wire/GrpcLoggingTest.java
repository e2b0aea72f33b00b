package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** field/cosi.md 1.2: with --debug, the reference sidecar logs every secret. */
@Isolated("it counts the lines of all loggers")
class GrpcLoggingTest {

    private static final String SECRET = "hunter2-hunter2";

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger ours = (Logger) LoggerFactory.getLogger("io.bucketwright");
    private final Logger transport = (Logger) LoggerFactory.getLogger("io.grpc");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void logEverythingThatAnybodyLogs() {
        root.setLevel(Level.TRACE);
        ours.setLevel(Level.TRACE);
        // The transport's own trace shows raw frames: it is not ours, and no option of ours turns it on.
        transport.setLevel(Level.INFO);
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void logAsBefore() {
        root.detachAppender(log);
        root.setLevel(Level.INFO);
        ours.setLevel(null);
        transport.setLevel(null);
    }

    @Test
    void nothingSecretIsLoggedByEitherSideAtAnyLevel(@TempDir Path folder) throws Exception {
        SocketPath socket = new SocketPath(folder.resolve("cosi.sock"));
        try (SocketServer server = SocketServer.start(socket, List.of(new EchoService()))) {
            ManagedChannel channel = SocketChannels.open(server.socket());
            CosiControllerBlockingStub driver = CosiControllerGrpc.newBlockingStub(channel);

            driver.grantBucketAccess(GrantBucketAccessRequest.newBuilder()
                    .setBucketName("photos")
                    .putSecrets("key", SECRET)
                    .build());
            assertThatThrownBy(() -> driver.createBucket(CreateBucketRequest.newBuilder()
                            .setBucketName("films")
                            .putSecrets("key", SECRET)
                            .build()))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining(SECRET);
            channel.shutdownNow();
        }

        await().untilAsserted(() -> assertThat(lines())
                .filteredOn(line -> line.contains("films"))
                .as("asked and failed, on both sides")
                .hasSize(4));
        assertThat(lines()).filteredOn(line -> line.contains("photos")).hasSize(2);
        assertThat(lines()).filteredOn(line -> line.contains("creds: ***")).hasSize(2);
        assertThat(lines()).noneMatch(line -> line.contains(SECRET));
    }

    private List<String> lines() {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
