package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.wire.SocketServer.SocketInUse;
import io.grpc.ManagedChannel;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketServerTest {

    @TempDir
    private Path folder = Path.of("/");

    @Test
    void whoeverMayOpenTheSocketIsServed() throws Exception {
        try (SocketServer server = serve()) {
            assertThat(nameOfDriver(server.socket())).isEqualTo("echo");
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(server.socket().path())))
                    .isEqualTo("rw-rw----");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aSocketThatADeadProcessLeftIsReplaced() throws Exception {
        leaveBehind(socket().path());

        try (SocketServer server = serve()) {
            assertThat(nameOfDriver(server.socket())).isEqualTo("echo");
        }
    }

    @Test
    void aSocketThatSomebodyAnswersOnIsLeftAlone() {
        try (SocketServer first = serve()) {
            assertThatThrownBy(this::serve)
                    .isInstanceOf(SocketInUse.class)
                    .hasMessageContaining("in use by another process");
            assertThat(nameOfDriver(first.socket())).isEqualTo("echo");
        }
    }

    @Test
    void aFileThatIsNoSocketIsLeftAlone() throws Exception {
        Files.writeString(socket().path(), "somebody's letter");

        assertThatThrownBy(this::serve).isInstanceOf(SocketInUse.class).hasMessageContaining("not a socket");
        assertThat(socket().path()).hasContent("somebody's letter");
    }

    @Test
    void aMissingDirectoryIsReportedWithTheCommandThatCreatesIt() {
        Path missing = folder.resolve("cosi");
        assertThatThrownBy(() -> SocketServer.start(new SocketPath(missing.resolve("cosi.sock")), List.of()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("mkdir -p " + missing);
    }

    @Test
    void aLinkToAFileIsNotFollowed() throws Exception {
        Path letter = Files.writeString(folder.resolve("letter"), "somebody's letter");
        Files.createSymbolicLink(socket().path(), letter);

        assertThatThrownBy(this::serve).isInstanceOf(SocketInUse.class);
        assertThat(letter).hasContent("somebody's letter");
    }

    @Test
    void closingLeavesTheSocketOfASuccessor() throws Exception {
        SocketServer first = serve();
        Files.delete(first.socket().path());
        try (SocketServer second = serve()) {
            first.close();
            assertThat(nameOfDriver(second.socket())).isEqualTo("echo");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix:///run/cosi.sock", "unix:/run/cosi.sock", "/run/cosi.sock"})
    void anAddressIsAPathOrAUrl(String text) {
        assertThat(SocketPath.parse(text).path()).isEqualTo(Path.of("/run/cosi.sock"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cosi.sock", "unix://cosi.sock", "tcp://localhost:80", "http://x/y", "/", "/a\u0000b"})
    void everythingElseIsNoAddress(String text) {
        assertThatThrownBy(() -> SocketPath.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPathThatLinuxWouldCutIsRefused() {
        assertThatThrownBy(() -> SocketPath.parse("/" + "a".repeat(100))).hasMessageContaining("at most 96 bytes");
    }

    private SocketServer serve() {
        return SocketServer.start(socket(), List.of(new EchoService()));
    }

    private SocketPath socket() {
        return new SocketPath(folder.resolve("cosi.sock"));
    }

    private static String nameOfDriver(SocketPath socket) {
        ManagedChannel channel = SocketChannels.open(socket);
        try {
            return CosiControllerGrpc.newBlockingStub(channel)
                    .driverInfo(DriverInfoRequest.getDefaultInstance())
                    .getDriverName();
        } finally {
            channel.shutdownNow();
        }
    }

    private static void leaveBehind(Path path) throws Exception {
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();
    }
}
