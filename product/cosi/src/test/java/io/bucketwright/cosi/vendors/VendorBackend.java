package io.bucketwright.cosi.vendors;

import io.bucketwright.cosi.vendors.VendorBehavior.Keys;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A store in memory, used as the driver of one vendor uses its store. Counts buckets and credentials that work. */
public final class VendorBackend {

    /** The key of a driver that gives its own to everybody; it belongs to no account. */
    static final int DRIVERS_KEY = 0;

    private final VendorBehavior behavior;
    private final Map<String, Map<String, String>> buckets = new HashMap<>();
    private final Map<String, Account> accounts = new HashMap<>();
    private final Set<String> full = new HashSet<>();
    private int keys;

    /** An account and its keys. */
    private record Account(String name, String bucketId, Set<Integer> keys) {}

    /** The answer to a grant. */
    record Grant(String accountId, int key) {}

    VendorBackend(VendorBehavior behavior) {
        this.behavior = behavior;
    }

    /** The ids of all buckets. */
    public synchronized Set<String> buckets() {
        return new TreeSet<>(buckets.keySet());
    }

    /** All secret keys that work now. */
    public synchronized Set<String> liveKeys() {
        Set<String> live = new TreeSet<>();
        accounts.values().stream()
                .map(Account::keys)
                .flatMap(Collection::stream)
                .forEach(key -> live.add(secretKey(key)));
        return live;
    }

    /** Somebody else creates a bucket, in another way. */
    public synchronized void create(String name) {
        buckets.put(behavior.bucketId.apply(name), Map.copyOf(behavior.bucketParameters));
    }

    static String secretKey(int key) {
        return "secret-" + key;
    }

    /** The id of the bucket; empty if the driver answers with an empty message. */
    synchronized Optional<String> create(String name, Map<String, String> parameters) {
        String id = behavior.bucketId.apply(name);
        Map<String, String> existing = buckets.putIfAbsent(id, Map.copyOf(parameters));
        if (existing == null) {
            return Optional.of(id);
        }
        if (!existing.equals(parameters)) {
            throw error(Code.ALREADY_EXISTS, "bucket " + name + " exists with other parameters");
        }
        if (behavior.secondCreate != Code.OK) {
            throw error(behavior.secondCreate, "bucket " + name + " exists");
        }
        return behavior.secondCreateEmpty ? Optional.empty() : Optional.of(id);
    }

    /** An application writes an object. */
    public synchronized void fill(String id) {
        full.add(id);
    }

    synchronized void delete(String id) {
        if (full.contains(id) && behavior.fullDelete != Code.OK) {
            throw error(behavior.fullDelete, "bucket " + id + " is not empty");
        }
        if (buckets.remove(id) == null && behavior.absentDelete != Code.OK) {
            throw error(behavior.absentDelete, "bucket " + id + " does not exist");
        }
        if (behavior.keys == Keys.UNTIL_BUCKET_DELETED) {
            accounts.values().removeIf(account -> account.bucketId().equals(id));
        }
    }

    /** Empty if the process of the driver ends. */
    synchronized Optional<Grant> grant(String bucketId, String name) {
        if (!buckets.containsKey(bucketId)) {
            throw error(behavior.failure, "bucket " + bucketId + " does not exist");
        }
        if (behavior.keys == Keys.OF_DRIVER) {
            return Optional.of(new Grant(name, DRIVERS_KEY));
        }
        String id = accountId(name);
        Account account = accounts.get(id);
        if (account == null) {
            return Optional.of(grantNew(id, name, bucketId));
        }
        return switch (behavior.secondGrant) {
            case SAME_KEYS ->
                Optional.of(new Grant(id, account.keys().iterator().next()));
            case ANOTHER_KEY -> {
                account.keys().add(++keys);
                yield Optional.of(new Grant(id, keys));
            }
            case REPLACES_KEY -> Optional.of(grantNew(id, name, bucketId));
            case ALREADY_EXISTS -> throw error(Code.ALREADY_EXISTS, "user " + name + " exists");
            case FAILS -> throw error(behavior.failure, "user " + name + " exists");
            case PANICS -> Optional.empty();
        };
    }

    private Grant grantNew(String id, String name, String bucketId) {
        keys++;
        accounts.put(id, new Account(name, bucketId, new LinkedHashSet<>(Set.of(keys))));
        return new Grant(id, keys);
    }

    private String accountId(String name) {
        return switch (behavior.accountIds) {
            case NAME -> name;
            case DERIVED -> "user:" + name + "/1";
            case EACH_KEY -> "key=" + (keys + 1);
        };
    }

    synchronized void revoke(String accountId) {
        if (behavior.keys != Keys.OF_ACCOUNT) {
            return;
        }
        if (accounts.remove(accountId) == null && behavior.absentRevoke != Code.OK) {
            throw error(behavior.absentRevoke, "account " + accountId + " does not exist");
        }
    }

    static StatusRuntimeException error(Code code, String message) {
        return Status.fromCode(code).withDescription(message).asRuntimeException();
    }
}
