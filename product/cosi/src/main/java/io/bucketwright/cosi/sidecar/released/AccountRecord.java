package io.bucketwright.cosi.sidecar.released;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.cosi.sidecar.released.RecordedAccount.State;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What must be known about the accounts of a BucketAccess after a restart, beside the id in its status. An annotation of the
 * Bucket contains it, because tenants may write their BucketAccess and their Secret: otherwise they could have the accounts
 * of others revoked.
 *
 * @param number of the name by which the driver was last asked to grant access; the first one is 0
 * @param handled the last requested rotation that was fulfilled or given up, as written
 * @param rotation the requested rotation that is in progress; empty if none is
 * @param replaced the account whose credentials the Secret contains until that rotation has written others
 * @param renewed when a rotation wrote the credentials in the Secret; empty if they are the first ones
 */
record AccountRecord(
        int number, String handled, String rotation, String replaced, String renewed, List<RecordedAccount> others) {

    public static final AccountRecord NONE = new AccountRecord(0, "", "", "", "", List.of());

    public AccountRecord {
        others = List.copyOf(others);
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    public boolean isRotating() {
        return !rotation.isEmpty();
    }

    /** The account that the last rotation replaced, until it is revoked. */
    public Optional<RecordedAccount> previous() {
        return others.stream()
                .filter(account -> account.state() == State.PREVIOUS || account.state() == State.REVOKING)
                .findFirst();
    }

    /** How many accounts may exist whose ids are not known. */
    public long lost() {
        return others.stream().filter(account -> account.state() == State.LOST).count();
    }

    /** Before the first grant of a rotation. */
    public AccountRecord started(String request, String published) {
        return new AccountRecord(number + 1, handled, request, published, renewed, others);
    }

    /** Before a grant by another name, because the driver does not grant access by the former one again. */
    public AccountRecord withNextName(String lostName) {
        return new AccountRecord(number + 1, handled, rotation, replaced, renewed, with(lostName, State.LOST).others);
    }

    /** The Secret contains the credentials of another account; the replaced one is revoked later. */
    public AccountRecord published(String validUntil) {
        List<RecordedAccount> all = new ArrayList<>(others);
        all.add(new RecordedAccount(replaced, State.PREVIOUS, validUntil));
        return new AccountRecord(number, rotation, "", "", renewed, all);
    }

    /** The rotation is over, and there is no account to revoke. */
    public AccountRecord ended() {
        return new AccountRecord(number, rotation, "", "", renewed, others);
    }

    /** The Secret contains other credentials since then. */
    public AccountRecord renewedAt(Instant time) {
        return new AccountRecord(
                number,
                handled,
                rotation,
                replaced,
                time.truncatedTo(ChronoUnit.SECONDS).toString(),
                others);
    }

    /** A request that is given up before it begins. */
    public AccountRecord refused(String request) {
        return new AccountRecord(number, request, "", "", renewed, others);
    }

    /** Unchanged if the account is recorded already. */
    public AccountRecord with(String id, State state) {
        if (has(id)) {
            return this;
        }
        List<RecordedAccount> all = new ArrayList<>(others);
        all.add(new RecordedAccount(id, state, ""));
        return new AccountRecord(number, handled, rotation, replaced, renewed, all);
    }

    public boolean has(String id) {
        return others.stream().anyMatch(account -> account.id().equals(id));
    }

    public AccountRecord without(String id) {
        return new AccountRecord(
                number,
                handled,
                rotation,
                replaced,
                renewed,
                others.stream().filter(account -> !account.id().equals(id)).toList());
    }

    /** Before the driver is asked to revoke an account that exists for certain. */
    public AccountRecord revoking(String id) {
        return revoking(account -> account.id().equals(id));
    }

    /** Before all accounts are revoked, because the access is deleted. A rotation ends. */
    public AccountRecord leaving() {
        AccountRecord all = replaced.isEmpty() ? this : with(replaced, State.PREVIOUS);
        AccountRecord revoking = all.revoking(_ -> true);
        return new AccountRecord(number, handled, "", "", renewed, revoking.others);
    }

    private AccountRecord revoking(Predicate<RecordedAccount> which) {
        return new AccountRecord(
                number,
                handled,
                rotation,
                replaced,
                renewed,
                others.stream()
                        .map(account -> which.test(account) ? account.revoking() : account)
                        .toList());
    }

    /** The accounts that are being revoked. */
    public Set<String> revokingIds() {
        return others.stream()
                .filter(account -> account.state() == State.REVOKING)
                .map(RecordedAccount::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** As the value of an annotation. */
    public String encode() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("number", number);
        put(node, "handled", handled);
        put(node, "rotation", rotation);
        put(node, "replaced", replaced);
        put(node, "renewed", renewed);
        if (!others.isEmpty()) {
            ArrayNode list = node.putArray("accounts");
            for (RecordedAccount account : others) {
                ObjectNode entry = list.addObject();
                entry.put("id", account.id());
                entry.put("state", account.state().name());
                put(entry, "validUntil", account.validUntil());
            }
        }
        return node.toString();
    }

    private static void put(ObjectNode node, String key, String value) {
        if (!value.isEmpty()) {
            node.put(key, value);
        }
    }

    /** Of the value of an annotation. What somebody garbled is left out. */
    public static AccountRecord decode(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        try {
            JsonNode node = new ObjectMapper().readTree(text);
            List<RecordedAccount> others = new ArrayList<>();
            node.path("accounts").forEach(entry -> account(entry).ifPresent(others::add));
            String replaced = node.path("replaced").asText();
            return new AccountRecord(
                    Math.max(0, node.path("number").asInt()),
                    node.path("handled").asText(),
                    replaced.isEmpty() ? "" : node.path("rotation").asText(),
                    replaced,
                    node.path("renewed").asText(),
                    others);
        } catch (JsonProcessingException e) {
            return NONE;
        }
    }

    private static Optional<RecordedAccount> account(JsonNode entry) {
        String id = entry.path("id").asText();
        return Arrays.stream(State.values())
                .filter(state -> state.name().equals(entry.path("state").asText()) && !id.isEmpty())
                .findFirst()
                .map(state ->
                        new RecordedAccount(id, state, entry.path("validUntil").asText()));
    }
}
