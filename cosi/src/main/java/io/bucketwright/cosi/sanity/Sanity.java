package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.sanity.SanityCheck.CheckSkipped;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.cosi.wire.SocketChannels;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
            DriverInfoResponse info = connect(channel);
            Optional<String> protocol = Protocols.name(info.getSupportedProtocol());
            // A driver without a protocol fails a check for that, and all others are run with S3.
            SanityClient client = new SanityClient(
                    channel,
                    http,
                    options,
                    propagation,
                    protocol.isEmpty() ? DataProtocol.S3 : info.getSupportedProtocol());
            List<CheckResult> outcomes = new ArrayList<>();
            for (SanityCheck check : CHECKS) {
                if (options.selects(check.id())) {
                    CheckResult outcome = run(check, client);
                    outcomes.add(outcome);
                    progress.accept(outcome);
                }
            }
            return new SanityReport(info.getDriverName(), protocol.orElse("unknown"), outcomes, client.cleanUp());
        } finally {
            channel.shutdownNow();
        }
    }

    /** The ids of all checks, in order. */
    public static List<String> ids() {
        return CHECKS.stream().map(SanityCheck::id).toList();
    }

    private DriverInfoResponse connect(ManagedChannel channel) {
        try {
            return CosiControllerGrpc.newBlockingStub(channel)
                    .withWaitForReady()
                    .withDeadlineAfter(options.timeout().toNanos(), TimeUnit.NANOSECONDS)
                    .driverInfo(DriverInfoRequest.getDefaultInstance());
        } catch (StatusRuntimeException e) {
            throw new Unreachable(
                    "DriverInfo failed at " + options.endpoint() + " ("
                            + e.getStatus().getCode() + "). Check that the driver runs and serves that socket.",
                    e);
        }
    }

    private static CheckResult run(SanityCheck check, SanityClient client) {
        long start = System.nanoTime();
        Verdict verdict = Verdict.PASSED;
        String remark = "";
        try {
            check.body().accept(client);
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
    }
}
