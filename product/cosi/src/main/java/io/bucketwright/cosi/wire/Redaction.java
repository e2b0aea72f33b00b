package io.bucketwright.cosi.wire;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.MessageOrBuilder;
import io.bucketwright.cosi.proto.CosiProto;
import io.bucketwright.cosi.proto.csi.CsiProto;
import io.bucketwright.store.errors.InputText;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows a message on one line without what is secret in it: every field called {@code secrets}, {@code creds} or
 * {@code credentials}, every message marked with {@code cosi_secret}, every field marked with {@code csi_secret}, and the
 * flags of a mount. Text from outside is quoted, so that it can neither break the line nor the terminal.
 */
public final class Redaction {

    private static final Set<String> SECRET_FIELDS = Set.of("secrets", "creds", "credentials", "mount_flags");
    private static final String HIDDEN = "***";

    /** Shorter values occur in any text by chance. */
    private static final int SHORTEST_SCRUBBED = 4;

    private Redaction() {}

    /** One line, without secrets. */
    public static String text(MessageOrBuilder message) {
        String name = message.getDescriptorForType().getName();
        if (isSecret(message)) {
            return name + "{" + HIDDEN + "}";
        }
        return name
                + message.getAllFields().entrySet().stream()
                        .map(field -> field.getKey().getName() + ": " + value(field.getKey(), field.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    /**
     * A text that may quote what was sent, as a foreign driver's error message may: the request's secret values in it
     * become {@code ***}.
     */
    public static String scrub(String text, MessageOrBuilder request) {
        Set<String> values = new TreeSet<>(secretValues(request).toList()).descendingSet();
        String scrubbed = text;
        for (String value : values) {
            if (value.length() >= SHORTEST_SCRUBBED) {
                scrubbed = scrubbed.replace(value, HIDDEN);
            }
        }
        return scrubbed;
    }

    private static String value(FieldDescriptor field, Object value) {
        if (isSecret(field)) {
            return HIDDEN;
        }
        if (value instanceof Collection<?> elements) {
            return elements.stream()
                    .map(element -> field.isMapField() ? entry((MessageOrBuilder) element) : single(field, element))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return single(field, value);
    }

    private static String entry(MessageOrBuilder entry) {
        List<FieldDescriptor> both = entry.getDescriptorForType().getFields();
        return single(both.getFirst(), entry.getField(both.getFirst())) + ": "
                + single(both.getLast(), entry.getField(both.getLast()));
    }

    private static String single(FieldDescriptor field, Object value) {
        return switch (field.getJavaType()) {
            case MESSAGE -> text((MessageOrBuilder) value);
            case STRING -> InputText.quote((String) value);
            case BYTE_STRING -> "<bytes>";
            default -> String.valueOf(value);
        };
    }

    private static boolean isSecret(FieldDescriptor field) {
        return SECRET_FIELDS.contains(field.getName()) || field.getOptions().getExtension(CsiProto.csiSecret);
    }

    private static boolean isSecret(MessageOrBuilder message) {
        return message.getDescriptorForType().getOptions().getExtension(CosiProto.cosiSecret);
    }

    private static Stream<String> secretValues(MessageOrBuilder message) {
        return message.getAllFields().entrySet().stream().flatMap(field -> {
            boolean secret = isSecret(message) || isSecret(field.getKey());
            return elements(field.getValue()).flatMap(element -> switch (element) {
                case MessageOrBuilder inner when secret -> strings(inner);
                case MessageOrBuilder inner -> secretValues(inner);
                case String text when secret -> Stream.of(text);
                default -> Stream.<String>empty();
            });
        });
    }

    /** All text in a message; of an entry of a map, only the value. */
    private static Stream<String> strings(MessageOrBuilder message) {
        boolean entry = message.getDescriptorForType().getOptions().getMapEntry();
        return message.getAllFields().entrySet().stream()
                .filter(field -> !entry || field.getKey().getNumber() == 2)
                .flatMap(field -> elements(field.getValue()).flatMap(element -> switch (element) {
                    case MessageOrBuilder inner -> strings(inner);
                    case String text when field.getKey().getJavaType() == JavaType.STRING -> Stream.of(text);
                    default -> Stream.<String>empty();
                }));
    }

    private static Stream<?> elements(Object value) {
        return value instanceof Collection<?> many ? many.stream() : Stream.of(value);
    }
}
