package io.bucketwright.store.grants;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.grants.Grant.Account;
import io.bucketwright.store.grants.Grant.Publication;
import io.bucketwright.store.grants.Grant.State;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The ledger as one JSON text with a version, for an annotation or a field. Empty values are left out, because the objects
 * that contain it have a size limit. A text that cannot be read completely is refused: what would be left out would never be
 * revoked.
 */
public final class GrantLedgerCodec {

    private static final int VERSION = 1;
    private static final List<String> USUAL = List.of("namespace", "name", "uid", "account", "secret");
    private static final long ALMOST_A_SECOND = 999_999_999;
    private static final ObjectMapper JSON = new ObjectMapper();

    private GrantLedgerCodec() {}

    /** A recorded ledger that this version cannot read. Nothing may be granted or deleted because of it. */
    public static final class UnreadableLedgerException extends Exception {

        private static final long serialVersionUID = 1L;

        UnreadableLedgerException(String message, Throwable cause) {
            super(message, cause);
        }

        UnreadableLedgerException(String message) {
            super(message);
        }
    }

    public static String encode(GrantLedger ledger) {
        return encode(ledger, JSON.createObjectNode());
    }

    /**
     * The text for an object that tells grantee, account and Secret of its grants already: what is the same is left out.
     *
     * @param usual a grant with these; its other values do not matter
     */
    public static String encode(GrantLedger ledger, Grant usual) {
        return encode(ledger, known(usual));
    }

    private static String encode(GrantLedger ledger, ObjectNode known) {
        ObjectNode root = JSON.createObjectNode().put("version", VERSION).put("issued", ledger.issued());
        for (Grant grant : ledger.grants()) {
            ObjectNode node = root.withArray("grants").addObject();
            write(grant, node);
            for (String field : USUAL) {
                String value = node.path(field).asText();
                if (value.equals(known.path(field).asText())) {
                    node.remove(field);
                } else {
                    node.put(field, value);
                }
            }
        }
        return root.toString();
    }

    private static ObjectNode known(Grant usual) {
        ObjectNode node = JSON.createObjectNode();
        write(usual, node);
        return node.retain(USUAL);
    }

    private static void write(Grant grant, ObjectNode node) {
        put(node, "id", grant.id());
        put(node, "namespace", grant.grantee().namespace());
        put(node, "name", grant.grantee().name());
        put(node, "uid", grant.grantee().uid());
        put(node, "account", grant.account().name());
        put(node, "accountId", grant.account().id());
        new TreeMap<>(grant.account().parameters())
                .forEach((key, value) -> node.withObjectProperty("parameters").put(key, value));
        put(node, "secret", grant.publication().secret());
        put(node, "formerSecret", grant.publication().formerSecret());
        put(node, "keyId", grant.publication().keyId());
        put(node, "request", grant.publication().request());
        put(node, "state", grant.state().name());
        put(node, "since", text(grant.since()));
        // Nothing ends before its time.
        grant.until().ifPresent(end -> put(node, "until", text(end.plusNanos(ALMOST_A_SECOND))));
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static void put(ObjectNode node, String key, String value) {
        if (!value.isEmpty()) {
            node.put(key, value);
        }
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param text empty for an empty ledger
     * @throws UnreadableLedgerException if it is malformed or of a newer version
     */
    public static GrantLedger decode(String text) throws UnreadableLedgerException {
        return decode(text, JSON.createObjectNode());
    }

    /**
     * Reads what {@link #encode(GrantLedger, Grant)} wrote.
     *
     * @param usual what the object tells
     * @throws UnreadableLedgerException if it is malformed or of a newer version
     */
    public static GrantLedger decode(String text, Grant usual) throws UnreadableLedgerException {
        return decode(text, known(usual));
    }

    private static GrantLedger decode(String text, ObjectNode known) throws UnreadableLedgerException {
        if (text.isEmpty()) {
            return GrantLedger.EMPTY;
        }
        try {
            JsonNode root = JSON.readTree(text);
            if (root.path("version").asInt() != VERSION) {
                throw new UnreadableLedgerException("has version " + root.path("version") + ", and this release reads "
                        + VERSION + ". Use the release that wrote it, or a newer one");
            }
            List<Grant> grants = new ArrayList<>();
            for (JsonNode node : root.path("grants")) {
                grants.add(grant(node.isObject() ? known.deepCopy().setAll((ObjectNode) node) : node));
            }
            return new GrantLedger(root.path("issued").asLong(), grants);
        } catch (JsonProcessingException | DateTimeParseException | IllegalArgumentException malformed) {
            throw new UnreadableLedgerException("is malformed: " + malformed.getMessage(), malformed);
        }
    }

    private static Grant grant(JsonNode node) {
        Map<String, String> parameters = new TreeMap<>();
        node.path("parameters")
                .properties()
                .forEach(
                        entry -> parameters.put(entry.getKey(), entry.getValue().asText()));
        String until = node.path("until").asText();
        return new Grant(
                node.path("id").asText(),
                new Grantee(
                        node.path("namespace").asText(),
                        node.path("name").asText(),
                        node.path("uid").asText()),
                new Account(
                        node.path("account").asText(), node.path("accountId").asText(), parameters),
                new Publication(
                        node.path("secret").asText(),
                        node.path("formerSecret").asText(),
                        node.path("keyId").asText(),
                        node.path("request").asText()),
                state(node.path("state").asText()),
                Instant.parse(node.path("since").asText()),
                until.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(until)));
    }

    private static State state(String text) {
        return Arrays.stream(State.values())
                .filter(state -> state.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a grant has the state " + text));
    }
}
