package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.sanity.RpcResult.Refused;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What errors say, and do not say. */
final class ErrorChecks {

    private ErrorChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                new SanityCheck(
                        "errors-names", "Every error carries its name, as a google.rpc.ErrorInfo", ErrorChecks::names),
                new SanityCheck(
                        "errors-codes", "Every error has a gRPC code that matches its name", ErrorChecks::codes),
                new SanityCheck("errors-messages", "Every error has a message", ErrorChecks::messages),
                new SanityCheck("errors-secrets", "No error contains a secret of its request", ErrorChecks::secrets));
    }

    private static void names(SanityClient probe) {
        require(
                provoked(probe, probe.requests()),
                refused -> refused.name().isPresent(),
                "carries no ErrorInfo with the domain " + CosiError.DOMAIN + " and the name of an error");
    }

    private static void codes(SanityClient probe) {
        require(
                provoked(probe, probe.requests()),
                refused -> refused.name()
                        .map(name -> name.mayTravelAs(refused.code()))
                        .orElse(true),
                "has a code that does not fit its name");
    }

    private static void messages(SanityClient probe) {
        require(provoked(probe, probe.requests()), refused -> !refused.message().isBlank(), "has no message");
    }

    private static void secrets(SanityClient probe) {
        String canary = "canary-" + UUID.randomUUID();
        Map<String, String> secrets = new HashMap<>(probe.revealed());
        secrets.replaceAll((_, value) -> value + canary);
        secrets.put("password", canary);
        require(
                provoked(probe, probe.requestsWith(secrets)),
                refused -> !refused.message().contains(canary)
                        && probe.revealed().values().stream()
                                .noneMatch(value -> refused.message().contains(value)),
                "repeats a secret");
        // Wrong credentials are what a careless driver likes to quote.
        RpcResult<?> wrong = probe.create(
                probe.requestsWith(secrets).create(probe.newBucket()).build());
        if (wrong instanceof Refused<?> refused && refused.message().contains(canary)) {
            throw new CheckFailed("The error about wrong credentials repeats them.");
        }
    }

    private static void require(Map<Operation, Refused<?>> all, Predicate<Refused<?>> rule, String otherwise) {
        all.forEach((operation, refused) -> {
            if (!rule.test(refused)) {
                throw new CheckFailed("The error of " + operation + " (" + refused.code() + ") " + otherwise + ".");
            }
        });
    }

    /** One error of each operation: nothing is asked for that could be done. */
    private static Map<Operation, Refused<?>> provoked(SanityClient probe, SanityRequests requests) {
        TestBucket nameless = probe.newBucket().named("");
        String account = probe.newAccount();
        Map<Operation, Refused<?>> all = new HashMap<>();
        for (RpcResult<?> answer : answers(probe, requests, nameless, account)) {
            if (answer instanceof Refused<?> refused) {
                all.put(refused.error().operation(), refused);
            }
        }
        return all;
    }

    private static List<RpcResult<?>> answers(
            SanityClient probe, SanityRequests requests, TestBucket nameless, String account) {
        return Stream.<RpcResult<?>>of(
                        probe.create(requests.create(nameless).build()),
                        probe.delete(requests.delete(nameless).build()),
                        probe.grant(requests.grant(nameless, account).build()),
                        probe.revoke(requests.revoke(nameless, account).build()))
                .toList();
    }
}
