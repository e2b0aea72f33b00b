package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.connection.WebSocketFrames.Message;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What RFC 9112 and RFC 6455 say about input that is there as a whole: no buffer, no state, and no care for its cost. */
final class ReferenceParser {

    private static final Pattern STATUS =
            Pattern.compile("HTTP/1\\.([0-9]) ([0-9]{3})(?: [^\\r\\x00]*)?", Pattern.DOTALL);
    private static final Pattern HEADER = Pattern.compile("([!-9;-~]+):([^\\r\\x00]*)", Pattern.DOTALL);
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
    private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,15}");
    private static final int TRAILERS = 100;

    private ReferenceParser() {}

    /**
     * A response that is complete and well-formed.
     *
     * @param headers names and values in turn
     * @param persistent whether another response may follow
     * @param end where it ends in the input
     */
    record Response(int code, List<String> headers, String body, boolean persistent, int end) {}

    /** Reads a response; it is absent if it is malformed or cut off. */
    static Optional<Response> response(String text, boolean hasBody) {
        Lines lines = new Lines(text);
        while (true) {
            Matcher status = STATUS.matcher(lines.next());
            if (!lines.found() || !status.matches()) {
                return Optional.empty();
            }
            List<String> headers = new ArrayList<>();
            for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
                Matcher header = HEADER.matcher(line);
                if (!header.matches()) {
                    return Optional.empty();
                }
                headers.add(header.group(1));
                headers.add(header.group(2).strip());
            }
            int code = Integer.parseInt(status.group(2));
            if (!lines.found()) {
                return Optional.empty();
            }
            if (code >= 200 || code == 101) {
                boolean persistent = !status.group(1).equals("0")
                        && values(headers, "Connection").stream()
                                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                                .noneMatch(option -> option.strip().equalsIgnoreCase("close"));
                return body(lines, headers, hasBody && code != 204 && code != 304)
                        .map(body -> new Response(
                                code, headers, body.text(), persistent && body.delimited(), lines.position()));
            }
        }
    }

    private record Body(String text, boolean delimited) {}

    private static Optional<Body> body(Lines lines, List<String> headers, boolean hasBody) {
        List<String> lengths = values(headers, "Content-Length");
        List<String> encodings = values(headers, "Transfer-Encoding");
        if (!hasBody) {
            return Optional.of(new Body("", true));
        }
        if (!encodings.isEmpty()) {
            return encodings.size() == 1
                            && encodings.getFirst().toLowerCase(Locale.ROOT).equals("chunked")
                    ? chunks(lines).map(text -> new Body(text, lengths.isEmpty()))
                    : Optional.empty();
        }
        if (lengths.isEmpty()) {
            return Optional.of(new Body(lines.rest(), false));
        }
        return lengths.stream().distinct().count() == 1
                        && LENGTH.matcher(lengths.getFirst()).matches()
                ? lines.take(Long.parseLong(lengths.getFirst())).map(text -> new Body(text, true))
                : Optional.empty();
    }

    private static Optional<String> chunks(Lines lines) {
        StringBuilder all = new StringBuilder();
        while (true) {
            String line = lines.next().split(";", 2)[0].strip();
            if (!lines.found() || !SIZE.matcher(line).matches()) {
                return Optional.empty();
            }
            long size = Long.parseLong(line, 16);
            if (size == 0) {
                for (int trailers = 0; trailers <= TRAILERS; trailers++) {
                    if (lines.next().isEmpty()) {
                        return lines.found() ? Optional.of(all.toString()) : Optional.empty();
                    }
                }
                return Optional.empty();
            }
            Optional<String> data = lines.take(size);
            if (data.isEmpty() || !lines.next().isEmpty() || !lines.found()) {
                return Optional.empty();
            }
            all.append(data.get());
        }
    }

    private static List<String> values(List<String> headers, String name) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < headers.size(); i += 2) {
            if (headers.get(i).equalsIgnoreCase(name)) {
                found.add(headers.get(i + 1));
            }
        }
        return found;
    }

    /** A position in a text. */
    private static final class Lines {
        private final String text;
        private int position;
        private boolean found = true;

        Lines(String text) {
            this.text = text;
        }

        int position() {
            return position;
        }

        /** Whether all lines so far were there. */
        boolean found() {
            return found;
        }

        /** The next line without its end; empty if there is none. */
        String next() {
            int end = text.indexOf('\n', position);
            if (end < 0) {
                found = false;
                return "";
            }
            String line = text.substring(position, end);
            position = end + 1;
            return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        }

        Optional<String> take(long count) {
            if (count > text.length() - position) {
                return Optional.empty();
            }
            position += (int) count;
            return Optional.of(text.substring(position - (int) count, position));
        }

        String rest() {
            return take(text.length() - position).orElseThrow();
        }
    }

    /** Reads messages up to the first frame that is malformed or cut off. */
    static List<Message> messages(byte[] bytes) {
        List<Message> messages = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        StringBuilder fragments = new StringBuilder();
        boolean begun = false;
        while (in.remaining() >= 2) {
            int first = in.get() & 0xff;
            int second = in.get() & 0xff;
            int opcode = first & 0x0f;
            boolean last = first >= 0x80;
            int extended = second == 126 ? Short.BYTES : second == 127 ? Long.BYTES : 0;
            if (in.remaining() < extended) {
                return messages;
            }
            long length = extended == 0 ? second : extended == Short.BYTES ? in.getShort() & 0xffff : in.getLong();
            boolean control = opcode >= 8;
            if ((first & 0x70) != 0
                    || second >= 0x80
                    || length < 0
                    || length > in.remaining()
                    || (control ? opcode > 10 || !last || second > 125 : opcode > 2 || (opcode == 0) != begun)) {
                return messages;
            }
            byte[] payload = new byte[(int) length];
            in.get(payload);
            if (control) {
                messages.add(control(opcode, payload));
                continue;
            }
            begun = true;
            fragments.append(new String(payload, StandardCharsets.ISO_8859_1));
            if (last) {
                ByteBuffer all = ByteBuffer.wrap(fragments.toString().getBytes(StandardCharsets.ISO_8859_1));
                messages.add(new Message.Data(all));
                begun = false;
                fragments.setLength(0);
            }
        }
        return messages;
    }

    private static Message control(int opcode, byte[] payload) {
        if (opcode == 9) {
            return new Message.Ping(ByteBuffer.wrap(payload));
        }
        if (opcode == 10) {
            return new Message.Pong();
        }
        ByteBuffer content = ByteBuffer.wrap(payload);
        return payload.length < 2
                ? new Message.Close(1005, "")
                : new Message.Close(
                        content.getShort() & 0xffff,
                        StandardCharsets.UTF_8.decode(content).toString());
    }
}
