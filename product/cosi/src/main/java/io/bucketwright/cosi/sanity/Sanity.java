package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.cosi.sanity.SanityDialect.DriverIdentity;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.UnreleasedProtocol;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The conformance checks of COSI drivers. A run deletes everything that it created.
 *
 * @param progress receives each result at once
 * @param propagation how long a store may take to apply permissions
 */
public record Sanity(SanityOptions options, Consumer<CheckResult> progress, Duration propagation) {

    private static final List<SanityCheck> CHECKS = Stream.of(
                    InfoChecks.all(),
                    CreateChecks.all(),
                    DeleteChecks.all(),
                    GrantChecks.all(),
                    RevokeChecks.all(),
                    ReleasedChecks.all(),
                    ErrorChecks.all(),
                    CredentialChecks.all())
            .flatMap(List::stream)
            .toList();

    public Sanity(SanityOptions options, Consumer<CheckResult> progress) {
        this(options, progress, options.timeout());
    }

    /**
     * Runs the checks that the options select.
     *
     * @throws Unreachable if the driver does not answer
     */
    public SanityReport run() {
        ManagedChannel channel = SocketChannels.open(options.endpoint());
        try (HttpClient http =
                HttpClient.newBuilder().connectTimeout(options.timeout()).build()) {
            Connected connected = connect(channel);
            SanityDialect dialect = connected.dialect();
            DriverIdentity info = connected.info();
            Optional<String> protocol = Protocols.name(info.protocol());
            // A driver without a protocol fails a check for that, and all others are run with S3.
            SanityClient client = new SanityClient(
                    dialect, http, options, propagation, protocol.isEmpty() ? DataProtocol.S3 : info.protocol());
            List<CheckResult> outcomes = new ArrayList<>();
            for (SanityCheck check : CHECKS) {
                if (options.selects(check.id()) && check.isOf(dialect)) {
                    CheckResult outcome = run(check, client);
                    if (outcome.verdict() == Verdict.FAILED) {
                        // The driver's process may have ended: the next check is about another rule.
                        client.awaitDriver();
                    }
                    outcomes.add(outcome);
                    progress.accept(outcome);
                }
            }
            return new SanityReport(
                    info.name(),
                    protocol.orElseGet(() -> dialect instanceof CosiV1Dialect ? "unknown" : dialect.name()),
                    outcomes,
                    client.cleanUp());
        } finally {
            channel.shutdownNow();
        }
    }

    /** The ids of all checks, in order. */
    public static List<String> ids() {
        return CHECKS.stream().map(SanityCheck::id).toList();
    }

    /** The gRPC packages that the suite speaks, in the order in which a driver is asked for them. */
    public static List<String> dialects() {
        return List.of("cosi.v1", "cosi.v1alpha1");
    }

    /** A driver that answered, and the dialect in which it did. */
    private record Connected(SanityDialect dialect, DriverIdentity info) {}

    private Connected connect(ManagedChannel channel) {
        List<SanityDialect> dialects = Stream.of(
                        new CosiV1Dialect(channel, options.timeout()), new ReleasedDialect(channel, options.timeout()))
                .filter(dialect -> options.dialect().isEmpty() || dialect.name().equals(options.dialect()))
                .toList();
        String names = dialects.stream().map(SanityDialect::name).collect(Collectors.joining(" and "));
        for (SanityDialect dialect : dialects) {
            try {
                return new Connected(dialect, dialect.info(true));
            } catch (StatusRuntimeException e) {
                if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
                    throw withoutName(e);
                }
            }
        }
        throw new Unreachable("The driver at " + options.endpoint() + " does not serve the gRPC package " + names + ". "
                + (speaksV1alpha2(channel)
                        ? "It " + UnreleasedProtocol.PROBLEM + "."
                        : "Check that it is a COSI driver of a version that the suite supports."));
    }

    private boolean speaksV1alpha2(ManagedChannel channel) {
        try {
            return UnreleasedProtocol.isSpoken(channel);
        } catch (StatusRuntimeException e) {
            throw withoutName(e);
        }
    }

    private Unreachable withoutName(StatusRuntimeException e) {
        return new Unreachable(
                "The call for the driver's name failed at " + options.endpoint() + " ("
                        + e.getStatus().getCode()
                        + "). Check that the driver runs and serves that socket.",
                e);
    }

    private static CheckResult run(SanityCheck check, SanityClient client) {
        long start = System.nanoTime();
        Verdict verdict = Verdict.PASSED;
        String remark = "";
        try {
            check.run(client);
        } catch (CheckSkipped e) {
            verdict = Verdict.SKIPPED;
            remark = String.valueOf(e.getMessage());
        } catch (CheckFailed e) {
            verdict = Verdict.FAILED;
            remark = String.valueOf(e.getMessage());
        } catch (StatusRuntimeException e) {
            verdict = Verdict.FAILED;
            remark = "DriverInfo failed as " + e.getStatus().getCode() + ".";
        }
        return new CheckResult(check.id(), check.title(), verdict, remark, Duration.ofNanos(System.nanoTime() - start));
    }

    /** The driver does not answer. */
    public static final class Unreachable extends RuntimeException {
        Unreachable(String message, Throwable cause) {
            super(message, cause);
        }

        Unreachable(String message) {
            super(message);
        }
    }
}
