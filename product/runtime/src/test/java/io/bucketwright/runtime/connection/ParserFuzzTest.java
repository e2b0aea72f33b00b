package io.bucketwright.runtime.connection;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import io.bucketwright.runtime.connection.WebSocketFrames.Message;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/**
 * A million inputs for the parsers of responses and frames, most of them malformed, cut off or delivered in unlucky parts.
 * What is accepted, and what it contains, must be what parsers say that are as simple as possible.
 */
class ParserFuzzTest {

    private static final int RESPONSES = 600_000;
    private static final int FRAMES = 400_000;

    /** Splits and cuts of one input that are tried. All of them, but for the large ones. */
    private static final int POSITIONS = 400;

    /** Only to end a test that would run for ever. */
    private static final Duration FOR_EVER = Duration.ofMinutes(5);

    /** Buffers of a connection, and what a length that is only claimed may allocate. */
    private static final long MEMORY = (1 << 20) + (256 << 10);

    private static final long MEMORY_PER_BYTE = 100;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long seed = Long.getLong("fuzz.seed", 20261119);
    private final ServerAddress address = new ServerAddress(false, "127.0.0.1", 80);
    private final RandomGenerator mask = new Random(1);
    private final ScriptedSocket socket = new ScriptedSocket();
    private volatile Case current = new Case(0, new byte[0], -1, false);
    private int cases;
    private final SSLContext tls;

    ParserFuzzTest() throws NoSuchAlgorithmException {
        tls = SSLContext.getDefault();
    }

    /**
     * One input.
     *
     * @param round the seed of its generator is that of the test plus this
     * @param split where the second part begins, negative for one byte at a time
     * @param cut whether it is well-formed, but its end may be missing
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Case(int round, byte[] bytes, int split, boolean cut) {
        @Override
        public String toString() {
            return "round " + round + ", split at " + split + (cut ? ", well-formed" : "") + ", " + bytes.length
                    + " bytes: " + HexFormat.of().formatHex(bytes, 0, Math.min(2000, bytes.length)) + " = "
                    + text(bytes).replaceAll("[^ -~]", ".");
        }
    }

    /** A socket that has received some bytes in two parts, and then the end. */
    private static final class ScriptedSocket extends Socket {
        private byte[] bytes = {};
        private int split;
        private int position;
        private int reads;

        void receive(Case input) {
            bytes = input.bytes();
            split = input.split();
            position = 0;
            reads = 0;
        }

        @Override
        public InputStream getInputStream() {
            return new InputStream() {
                @Override
                public int read() {
                    throw new AssertionError("read without a buffer");
                }

                @Override
                public int read(byte[] into, int offset, int length) {
                    if (length == 0 || ++reads > bytes.length + 3) {
                        throw new AssertionError("reads on and on");
                    }
                    if (position == bytes.length) {
                        return -1;
                    }
                    int end =
                            split < 0 ? position + 1 : position < split ? Math.min(split, bytes.length) : bytes.length;
                    int count = Math.min(length, end - position);
                    System.arraycopy(bytes, position, into, offset, count);
                    position += count;
                    return count;
                }
            };
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void setSoTimeout(int millis) {}

        @Override
        public void close() {}
    }

    @Test
    void responsesAreReadAsTheReferenceReadsThem() {
        untilFailure(() -> {
            for (int round = 0; cases < RESPONSES; round++) {
                FuzzInput random = new FuzzInput(seed + round);
                FuzzInput.Response valid = random.response();
                byte[] bytes = valid.bytes();
                ReferenceParser.Response expected =
                        ReferenceParser.response(text(bytes), true).orElseThrow();
                check(expected.code() == valid.code() && expected.body().equals(valid.body()), "wrong reference");
                for (int at : positions(bytes.length, random)) {
                    byte[] cut = Arrays.copyOf(bytes, at);
                    check(
                            !valid.delimited()
                                    || ReferenceParser.response(text(cut), true).isEmpty(),
                            "wrong reference");
                    response(new Case(round, bytes, at, true), random);
                    response(new Case(round, cut, random.below(at + 2) - 1, true), random);
                    response(new Case(round, random.damaged(bytes, true), at, false), random);
                    response(new Case(round, random.damaged(bytes, true), random.below(200) - 1, false), random);
                    response(new Case(round, random.random(true), random.below(20) - 1, false), random);
                }
            }
        });
    }

    @Test
    void framesAreReadAsTheReferenceReadsThem() {
        untilFailure(() -> {
            for (int round = 0; cases < FRAMES; round++) {
                FuzzInput random = new FuzzInput(seed + round);
                FuzzInput.Frames valid = random.frames();
                byte[] bytes = valid.bytes();
                current = new Case(round, bytes, 0, true);
                check(ReferenceParser.messages(bytes).equals(valid.messages()), "wrong reference");
                for (int at : positions(bytes.length, random)) {
                    frames(new Case(round, bytes, at, true));
                    frames(new Case(round, Arrays.copyOf(bytes, at), random.below(at + 2) - 1, true));
                    frames(new Case(round, random.damaged(bytes, false), at, false));
                    frames(new Case(round, random.random(false), random.below(20) - 1, false));
                }
            }
        });
    }

    private static void check(boolean condition, String failure) {
        if (!condition) {
            throw new AssertionError(failure);
        }
    }

    private void untilFailure(Runnable rounds) {
        assertTimeoutPreemptively(
                FOR_EVER,
                () -> {
                    try {
                        rounds.run();
                    } catch (Throwable e) {
                        throw new AssertionError(e.getMessage() + "; " + described(), e);
                    }
                },
                this::described);
    }

    private String described() {
        return "-Dfuzz.seed=" + seed + ", " + current;
    }

    private static List<Integer> positions(int length, FuzzInput random) {
        List<Integer> positions = new ArrayList<>();
        for (int i = 0; i < Math.min(length, POSITIONS); i++) {
            positions.add(length <= POSITIONS ? i : random.below(length));
        }
        return positions;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private HttpConnection connection(Case input) throws IOException {
        current = input;
        cases++;
        socket.receive(input);
        return new HttpConnection(address, tls, socket, socket);
    }

    private void response(Case input, FuzzInput random) {
        boolean get = !random.oneIn(10);
        boolean whole = random.oneIn(2);
        byte[] part = new byte[1 + random.below(300)];
        Optional<ReferenceParser.Response> expected = ReferenceParser.response(text(input.bytes()), get);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            HttpConnection connection = connection(input);
            ResponseHead head = connection.readHead();
            ResponseBody body = ResponseBody.of(connection, get ? "GET" : "HEAD", head);
            byte[] all = whole ? body.readAll() : parts(body, part);
            assertMemory(before, input);
            check(expected.isPresent(), "accepted: " + text(all));
            ReferenceParser.Response reference = expected.get();
            check(head.code() == reference.code(), "another code");
            check(headers(head).equals(reference.headers()), "other headers");
            check(text(all).equals(reference.body()), "another body: " + text(all));
            // What follows may not have been received yet; the pool looks for it.
            check(
                    body.isReusable() == (reference.persistent() && socket.position == reference.end()),
                    "the connection: " + body.isReusable());
            check(body.read(part) < 0, "no end");
        } catch (IOException e) {
            assertFailure(e, before, input);
            check(expected.isEmpty(), "refused: " + e);
        }
    }

    private static byte[] parts(ResponseBody body, byte[] part) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int count = body.read(part); count >= 0; count = body.read(part)) {
            check(count > 0, "an empty part");
            all.write(part, 0, count);
        }
        return all.toByteArray();
    }

    private static List<String> headers(ResponseHead head) {
        List<String> headers = new ArrayList<>();
        for (int i = 0; i < head.names().size(); i++) {
            headers.add(head.names().get(i));
            headers.add(head.values().get(i));
        }
        return headers;
    }

    private void frames(Case input) {
        List<Message> expected = ReferenceParser.messages(input.bytes());
        List<Message> messages = new ArrayList<>();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            WebSocketFrames frames = new WebSocketFrames(connection(input), mask);
            while (messages.size() <= input.bytes().length) {
                messages.add(frames.read());
            }
            throw new AssertionError("more messages than bytes");
        } catch (IOException e) {
            assertFailure(e, before, input);
            check(messages.equals(expected), "other messages: " + messages + ", not " + expected);
        }
    }

    /** Callers treat other kinds as a timeout or as a failure of TLS, and anything else as a defect. */
    private static void assertFailure(IOException failure, long before, Case input) {
        assertMemory(before, input);
        Class<?> kind = failure.getClass();
        check(
                kind.equals(EOFException.class) || (kind.equals(IOException.class) && !input.cut()),
                "failed: " + failure);
    }

    private static void assertMemory(long before, Case input) {
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        check(allocated < MEMORY + MEMORY_PER_BYTE * input.bytes().length, "allocated " + allocated + " bytes");
    }
}
