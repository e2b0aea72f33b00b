package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.SanityCheck.check;

import io.bucketwright.cosi.sanity.RpcResult.Refused;
import io.bucketwright.cosi.wire.CosiError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Checks of what errors contain. */
final class ErrorChecks {

    private ErrorChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                check(
                        CheckNeed.ERROR_NAMES,
                        "errors-names",
                        "Every error carries its name, as a google.rpc.ErrorInfo",
                        client -> require(
                                client,
                                Map.of(),
                                error -> error.name().isPresent(),
                                "has no ErrorInfo with the domain " + CosiError.DOMAIN + " and the name of an error")),
                check(
                        CheckNeed.ERROR_NAMES,
                        "errors-codes",
                        "Every error has a gRPC code that matches its name",
                        client -> require(
                                client,
                                Map.of(),
                                error -> error.name()
                                        .map(name -> name.mayTravelAs(error.code()))
                                        .orElse(true),
                                "has a code that does not match its name")),
                check(
                        "errors-messages",
                        "Every error has a message",
                        client -> require(
                                client, Map.of(), error -> !error.message().isBlank(), "has no message")),
                check(
                        CheckNeed.REQUEST_SECRETS,
                        "errors-secrets",
                        "No error contains a secret of its request",
                        ErrorChecks::secrets));
    }

    private static void secrets(SanityClient client) {
        String canary = "canary-" + UUID.randomUUID();
        Map<String, String> secrets = new HashMap<>(client.secrets());
        secrets.replaceAll((_, value) -> value + canary);
        secrets.put("password", canary);
        require(
                client,
                secrets,
                error -> !error.message().contains(canary)
                        && client.secrets().values().stream()
                                .noneMatch(value -> error.message().contains(value)),
                "contains a secret");
        // Errors about wrong credentials are the most likely to contain them.
        RpcResult<?> wrong = client.create(client.newBucket(), request -> request.putAllSecrets(secrets));
        CheckFailed.require(
                !(wrong instanceof Refused<?> error) || !error.message().contains(canary),
                "The error about wrong credentials contains them.");
    }

    /** Provokes one error of each operation, with requests that ask for nothing that could be done. */
    private static void require(
            SanityClient client, Map<String, String> secrets, Predicate<Refused<?>> rule, String otherwise) {
        TestBucket nameless = client.newBucket().named("");
        String account = client.newAccount();
        Stream.<RpcResult<?>>of(
                        client.create(nameless, request -> request.putAllSecrets(secrets)),
                        client.delete(nameless, request -> request.putAllSecrets(secrets)),
                        client.grant(nameless, account, request -> request.putAllSecrets(secrets)),
                        client.revoke(nameless, account, request -> request.putAllSecrets(secrets)))
                .flatMap(result -> result instanceof Refused<?> error ? Stream.of(error) : Stream.empty())
                .forEach(error -> CheckFailed.require(
                        rule.test(error),
                        "The error of " + error.error().operation() + " (" + error.code() + ") " + otherwise + "."));
    }
}
