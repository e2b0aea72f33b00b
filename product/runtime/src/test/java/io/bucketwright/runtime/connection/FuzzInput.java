package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.connection.WebSocketFrames.Message;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes responses and streams of frames from a seed, and damages them. */
final class FuzzInput {

    private static final int LARGEST = 20_000;

    /** What parsers of HTTP have stumbled over. */
    private static final List<String> HTTP = List.of(
            "\r",
            "\n",
            "\r\n",
            "\r\n\r\n",
            "\n\n",
            "\0",
            " ",
            "\t",
            ":",
            ";",
            ",",
            "-1",
            "+3",
            "0",
            "0x3",
            "7fffffff",
            "80000000",
            "ffffffffffffffff",
            "7fffffffffffffff",
            "99999999999999999999",
            "9223372036854775807",
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.0 ",
            " 204 ",
            " 304 ",
            "Content-Length: 3\r\n",
            "Content-Length:5\r\n",
            "Content-Length : 3\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: gzip, chunked\r\n",
            "Transfer-Encoding : chunked\r\n",
            "Connection: close\r\n",
            "3\r\nabc\r\n",
            "0\r\n\r\n",
            "0\r\nT: 1\r\n\r\n");

    private static final List<byte[]> FRAMES = List.of(
            bytes(0x7e, 0xff, 0xff),
            bytes(0x7e, 0, 1),
            bytes(0x7f, 0, 0, 0, 0, 0, 0, 0, 1),
            bytes(0x7f, 0, 0, 0, 0, 4, 0, 0, 0),
            bytes(0x7f, 0, 0, 0, 0, 4, 0, 0, 1),
            bytes(0x7f, 0x80, 0, 0, 0, 0, 0, 0, 0),
            bytes(0x7f, 0, 0, 0, 1, 0, 0, 0, 0),
            bytes(0x81, 1, 'a'),
            bytes(0x01, 0),
            bytes(0x80, 0),
            bytes(0x00, 0),
            bytes(0x88, 0),
            bytes(0x88, 1, 3),
            bytes(0x89, 0),
            bytes(0x89, 0x7e, 0, 1, 'a'),
            bytes(0x8a, 0),
            bytes(0x8b, 0),
            bytes(0x83, 0),
            bytes(0xc1, 0),
            bytes(0x81, 0x80));

    private final SplittableRandom random;

    FuzzInput(long seed) {
        random = new SplittableRandom(seed);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    private <T> T any(List<T> values) {
        return values.get(below(values.size()));
    }

    /**
     * A well-formed response, and what it contains.
     *
     * @param delimited whether it shows that a part of it is missing
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Response(byte[] bytes, int code, String body, boolean delimited) {}

    Response response() {
        String end = oneIn(6) ? "\n" : "\r\n";
        String body = text(oneIn(40) ? LARGEST : 40);
        int code = any(List.of(200, 200, 200, 200, 201, 204, 304, 404, 409, 500));
        boolean hasBody = code != 204 && code != 304;
        StringBuilder text = new StringBuilder();
        for (int i = oneIn(5) ? 1 + below(2) : 0; i > 0; i--) {
            text.append("HTTP/1.1 10")
                    .append(any(List.of(0, 2, 3)))
                    .append(" Hint")
                    .append(end);
            text.append(oneIn(2) ? "Link: x" + end : "").append(end);
        }
        text.append("HTTP/1.").append(oneIn(8) ? 0 : 1).append(' ').append(code);
        text.append(any(List.of("", " ", " OK", " Not: this"))).append(end);
        int framing = below(5);
        for (int i = below(3); i > 0; i--) {
            text.append(any(List.of(
                            "Date:x", "X-Empty:", "Warning: 299 - \"text\t\"", "Connection: keep-alive", "A: chunked")))
                    .append(end);
        }
        text.append(oneIn(10) ? "cONNECTION: x, Close" + end : "");
        if (framing < 2) {
            text.append(oneIn(2) ? "Content-Length: " : "content-length:")
                    .append(body.length())
                    .append(end)
                    .append(end);
            text.append(hasBody ? body : "");
        } else if (framing < 4) {
            text.append(oneIn(9) ? "Content-Length: 7" + end : "");
            text.append("Transfer-Encoding: ")
                    .append(oneIn(2) ? "chunked" : "Chunked ")
                    .append(end)
                    .append(end);
            text.append(hasBody ? chunks(body, end) : "");
        } else {
            text.append(end).append(hasBody ? body : "");
        }
        return new Response(
                text.toString().getBytes(StandardCharsets.ISO_8859_1),
                code,
                hasBody ? body : "",
                framing < 4 && hasBody);
    }

    private String chunks(String body, String end) {
        StringBuilder text = new StringBuilder();
        for (int begin = 0; begin < body.length(); ) {
            int size = 1 + below(Math.min(body.length() - begin, oneIn(4) ? LARGEST : 12));
            text.append(oneIn(5) ? "0" : "").append(Integer.toHexString(size));
            text.append(any(List.of("", "", "", " ", ";a", " ; a=\"b\""))).append(end);
            text.append(body, begin, begin + size).append(end);
            begin += size;
        }
        text.append(oneIn(4) ? "00;last" : "0").append(end);
        return text.append(oneIn(4) ? "Trailer: 1" + end : "").append(end).toString();
    }

    private String text(int bound) {
        StringBuilder text = new StringBuilder();
        for (int left = below(bound); left > 0; left--) {
            text.append((char) (oneIn(10) ? below(256) : 'a' + below(26)));
        }
        return text.toString();
    }

    /** Well-formed frames, and the messages in them. */
    @SuppressWarnings("ArrayRecordComponent")
    record Frames(byte[] bytes, List<Message> messages) {}

    Frames frames() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Message> messages = new ArrayList<>();
        for (int left = 1 + below(4); left > 0; left--) {
            byte[] payload = text(oneIn(40) ? LARGEST : oneIn(10) ? 400 : 30).getBytes(StandardCharsets.ISO_8859_1);
            int opcode = 1 + below(2);
            int begin = 0;
            while (oneIn(3)) {
                int end = begin + below(payload.length - begin + 1);
                frame(out, begin == 0 && opcode > 0 ? opcode : 0, Arrays.copyOfRange(payload, begin, end));
                opcode = opcode > 0 ? -opcode : opcode;
                begin = end;
                if (oneIn(2)) {
                    messages.add(control(out));
                }
            }
            frame(out, 0x80 | Math.max(0, opcode), Arrays.copyOfRange(payload, begin, payload.length));
            ByteBuffer whole = ByteBuffer.wrap(payload);
            messages.add(new Message.Data(whole));
        }
        if (oneIn(3)) {
            frame(out, 0x88, bytes(3, 0xe8, 'b', 'y', 'e'));
            messages.add(new Message.Close(1000, "bye"));
        }
        return new Frames(out.toByteArray(), messages);
    }

    private Message control(ByteArrayOutputStream out) {
        byte[] payload = text(126).getBytes(StandardCharsets.ISO_8859_1);
        boolean ping = oneIn(2);
        frame(out, ping ? 0x89 : 0x8a, payload);
        return ping ? new Message.Ping(ByteBuffer.wrap(payload)) : new Message.Pong();
    }

    private void frame(ByteArrayOutputStream out, int first, byte[] payload) {
        out.write(first);
        if (payload.length < 126) {
            out.write(payload.length);
        } else if (oneIn(4)) {
            out.write(127);
            out.writeBytes(
                    ByteBuffer.allocate(Long.BYTES).putLong(payload.length).array());
        } else {
            out.write(126);
            out.writeBytes(ByteBuffer.allocate(Short.BYTES)
                    .putShort((short) payload.length)
                    .array());
        }
        out.writeBytes(payload);
    }

    /** The same with one to four faults. */
    byte[] damaged(byte[] valid, boolean http) {
        byte[] bytes = valid;
        for (int faults = 1 + below(4); faults > 0; faults--) {
            int at = below(bytes.length + 1);
            int end = Math.min(bytes.length, at + 1 + below(12));
            bytes = switch (below(6)) {
                case 0 -> joined(bytes, at, http ? any(HTTP).getBytes(StandardCharsets.ISO_8859_1) : any(FRAMES), at);
                case 1 -> joined(bytes, at, http ? any(HTTP).getBytes(StandardCharsets.ISO_8859_1) : any(FRAMES), end);
                case 2 -> joined(bytes, at, new byte[0], end);
                case 3 -> joined(bytes, at, Arrays.copyOfRange(bytes, Math.min(at, end), end), at);
                case 4 -> joined(bytes, at, noise(4), at);
                default -> joined(bytes, at, noise(1), Math.min(bytes.length, at + 1));
            };
        }
        return bytes;
    }

    private static byte[] joined(byte[] bytes, int before, byte[] between, int after) {
        byte[] joined = Arrays.copyOf(bytes, before + between.length + bytes.length - after);
        System.arraycopy(between, 0, joined, before, between.length);
        System.arraycopy(bytes, after, joined, before + between.length, bytes.length - after);
        return joined;
    }

    /** Random bytes, or words in a random order. */
    byte[] random(boolean http) {
        if (oneIn(2)) {
            return noise(80);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int left = below(12); left > 0; left--) {
            out.writeBytes(http ? any(HTTP).getBytes(StandardCharsets.ISO_8859_1) : any(FRAMES));
        }
        return out.toByteArray();
    }

    private byte[] noise(int bound) {
        byte[] noise = new byte[1 + below(bound)];
        random.nextBytes(noise);
        return noise;
    }
}
