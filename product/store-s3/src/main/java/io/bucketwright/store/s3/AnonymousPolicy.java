package io.bucketwright.store.s3;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.OptionJson;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            node.forEachEntry((name, value) ->
                    fields.put(name.toLowerCase(Locale.ROOT), texts(value).collect(Collectors.toUnmodifiableSet())));
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
    Author author(String text) {
        OptionJson policy = OptionJson.of("policy", text);
        boolean hasId = id(policy).equals(ID);
        List<Statement> generated = statements(OptionJson.of("policy", document(AnonymousAccess.READ_WRITE)));
        List<Statement> found = statements(policy);
        long own = found.stream()
                .filter(statement -> isGenerated(statement, generated, hasId))
                .count();
        if (own == 0) {
            return Author.OTHERS;
        }
        return own == found.size() ? Author.BUCKETWRIGHT : Author.BOTH;
    }

    /** The value of the field {@code Id}; empty if there is none. */
    static String id(OptionJson policy) {
        return text(policy.node(), "Id");
    }

    private static boolean isGenerated(Statement statement, List<Statement> generated, boolean hasId) {
        return statement.sid().isEmpty()
                ? hasId || generated.stream().anyMatch(own -> own.meaning().equals(statement.meaning()))
                : generated.stream().anyMatch(own -> own.sid().equals(statement.sid()));
    }

    private static List<Statement> statements(OptionJson policy) {
        return field(policy.node(), "Statement").stream()
                .flatMap(AnonymousPolicy::elements)
                .filter(JsonNode::isObject)
                .map(Statement::read)
                .toList();
    }

    /** The texts of a string, of a list, or of the object that a principal can be. */
    private static Stream<String> texts(JsonNode node) {
        if (node.isObject()) {
            return node.propertyStream()
                    .flatMap(kind -> elements(kind.getValue())
                            .flatMap(AnonymousPolicy::texts)
                            .map(value -> kind.getKey().equals("AWS") ? value : kind.getKey() + ":" + value));
        }
        return elements(node).filter(JsonNode::isTextual).map(JsonNode::textValue);
    }

    private static Stream<JsonNode> elements(JsonNode node) {
        return node.isArray() ? node.valueStream() : Stream.of(node);
    }

    private static String text(JsonNode node, String name) {
        return field(node, name).map(JsonNode::textValue).orElse("");
    }

    /** Some stores write the name of a field in another case, such as {@code ID}. */
    private static Optional<JsonNode> field(JsonNode node, String name) {
        return node.propertyStream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static String statement(String sid, String action, String resource) {
        return "{\"Sid\":\"%s\",\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":[\"%s\"],\"Resource\":[\"%s\"]}"
                .formatted(sid, action, resource);
    }
}
