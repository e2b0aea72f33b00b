package io.bucketwright.store.s3;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * The bucket policy that is generated for anonymous access. Stores return a policy in other forms than they received it: a
 * string instead of a list with one element, {@code {"AWS":"*"}} instead of {@code "*"}, names in another case, without ids.
 * So it is recognized by its {@code Id} and the {@code Sid} of its statements. A statement without a {@code Sid} is compared
 * by its meaning.
 *
 * @param partition the second part of ARNs
 */
record AnonymousPolicy(String partition, BucketName bucket) {

    /** Who wrote a policy that a store returned. */
    enum Author {
        BUCKETWRIGHT,
        OTHERS,
        /** Others added statements to those of Bucketwright. */
        BOTH
    }

    /**
     * A statement, whatever its form.
     *
     * @param meaning the values of all other fields, by their names in lower case
     */
    private record Statement(String sid, Map<String, Set<String>> meaning) {

        static Statement read(JsonNode node) {
            Map<String, Set<String>> fields = new TreeMap<>();
            node.asObject()
                    .forEach((name, value) -> fields.put(
                            name.toLowerCase(Locale.ROOT), texts(value).collect(Collectors.toUnmodifiableSet())));
            fields.remove("sid");
            return new Statement(text(node, "Sid"), fields);
        }
    }

    private static final String ID = "bucketwright.io/anonymous-access";

    String document(AnonymousAccess access) {
        String arn = "arn:" + partition + ":s3:::" + bucket;
        String list = statement("BucketwrightList", "s3:ListBucket", arn);
        String get = statement("BucketwrightGet", "s3:GetObject", arn + "/*");
        String put = statement("BucketwrightPut", "s3:PutObject", arn + "/*");
        String statements = switch (access) {
            case PRIVATE -> "";
            case READ_ONLY -> list + "," + get;
            case WRITE_ONLY -> put;
            case READ_WRITE -> list + "," + get + "," + put;
        };
        return "{\"Id\":\"" + ID + "\",\"Version\":\"2012-10-17\",\"Statement\":[" + statements + "]}";
    }

    /** Who wrote a policy that is not that of an option. */
    Author author(String policy) {
        JsonNode document = OptionJson.parse("policy", policy);
        boolean hasId = text(document, "Id").equals(ID);
        List<Statement> generated = statements(OptionJson.parse("policy", document(AnonymousAccess.READ_WRITE)));
        List<Statement> found = statements(document);
        long own = found.stream()
                .filter(statement -> isGenerated(statement, generated, hasId))
                .count();
        if (own == 0) {
            return Author.OTHERS;
        }
        return own == found.size() ? Author.BUCKETWRIGHT : Author.BOTH;
    }

    /** The value of the field {@code Id}; empty if there is none. */
    static String id(JsonNode document) {
        return text(document, "Id");
    }

    private static boolean isGenerated(Statement statement, List<Statement> generated, boolean hasId) {
        return statement.sid().isEmpty()
                ? hasId || generated.stream().anyMatch(own -> own.meaning().equals(statement.meaning()))
                : generated.stream().anyMatch(own -> own.sid().equals(statement.sid()));
    }

    private static List<Statement> statements(JsonNode document) {
        return field(document, "Statement").stream()
                .flatMap(AnonymousPolicy::elements)
                .filter(JsonNode::isObject)
                .map(Statement::read)
                .toList();
    }

    /** The texts of a string, of a list, or of the object that a principal can be. */
    private static Stream<String> texts(JsonNode node) {
        if (node.isObject()) {
            return node.asObject().entrySet().stream()
                    .flatMap(kind -> elements(kind.getValue())
                            .flatMap(AnonymousPolicy::texts)
                            .map(value -> kind.getKey().equals("AWS") ? value : kind.getKey() + ":" + value));
        }
        return elements(node).filter(JsonNode::isString).map(JsonNode::asString);
    }

    private static Stream<JsonNode> elements(JsonNode node) {
        return node.isArray() ? node.asArray().stream() : Stream.of(node);
    }

    private static String text(JsonNode node, String name) {
        return field(node, name)
                .filter(JsonNode::isString)
                .map(JsonNode::asString)
                .orElse("");
    }

    /** Some stores write the name of a field in another case, such as {@code ID}. */
    private static Optional<JsonNode> field(JsonNode node, String name) {
        return node.isObject()
                ? node.asObject().entrySet().stream()
                        .filter(field -> field.getKey().equalsIgnoreCase(name))
                        .map(Map.Entry::getValue)
                        .findFirst()
                : Optional.empty();
    }

    private static String statement(String sid, String action, String resource) {
        return "{\"Sid\":\"%s\",\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":[\"%s\"],\"Resource\":[\"%s\"]}"
                .formatted(sid, action, resource);
    }
}
