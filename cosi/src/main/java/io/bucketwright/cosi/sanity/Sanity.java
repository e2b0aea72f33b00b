package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import io.bucketwright.cosi.sanity.RpcResult.Refused;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.sanity.SanityCheck.CheckSkipped;
import io.bucketwright.cosi.wire.CosiError.Meaning;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.cosi.wire.SocketChannels;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The suite: asks a driver everything, tells what came of it as it goes, and cleans up. */
public final class Sanity {

    private final SanityOptions options;
    private final Consumer<CheckResult> progress;

    /**
     * A run that is still to come.
     *
     * @param progress told of each check when it is over
     */
    public Sanity(SanityOptions options, Consumer<CheckResult> progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Asks everything.
     *
     * @throws Unreachable if nobody answers at the socket
     */
    public SanityReport run() {
        ManagedChannel channel = SocketChannels.open(options.endpoint());
        try (HttpClient http =
                HttpClient.newBuilder().connectTimeout(options.patience()).build()) {
            DriverInfoResponse info = greet(channel);
            SanityClient probe = new SanityClient(channel, options, spoken(info));
            List<CheckResult> outcomes = new ArrayList<>();
            for (SanityCheck check : checks(http)) {
                if (options.wants(check.id())) {
                    CheckResult outcome = ask(check, probe);
                    outcomes.add(outcome);
                    progress.accept(outcome);
                }
            }
            return new SanityReport(
                    info.getDriverName(),
                    Protocols.name(info.getSupportedProtocol()).orElse("unknown"),
                    outcomes,
                    cleanUp(probe));
        } finally {
            channel.shutdownNow();
        }
    }

    /** The ids of all checks, in order. */
    public static List<String> ids() {
        try (HttpClient none = HttpClient.newHttpClient()) {
            return checks(none).stream().map(SanityCheck::id).toList();
        }
    }

    private static List<SanityCheck> checks(HttpClient http) {
        return Stream.of(
                        InfoChecks.all(),
                        CreateChecks.all(),
                        DeleteChecks.all(),
                        GrantChecks.all(),
                        RevokeChecks.all(),
                        ErrorChecks.all(),
                        new CredentialChecks(http).all())
                .flatMap(List::stream)
                .toList();
    }

    private DriverInfoResponse greet(ManagedChannel channel) {
        try {
            return CosiControllerGrpc.newBlockingStub(channel)
                    .withWaitForReady()
                    .withDeadlineAfter(options.patience().toNanos(), TimeUnit.NANOSECONDS)
                    .driverInfo(DriverInfoRequest.getDefaultInstance());
        } catch (StatusRuntimeException e) {
            throw new Unreachable(
                    "Nobody answers DriverInfo at " + options.endpoint() + " ("
                            + e.getStatus().getCode() + "). Check that the driver runs and serves that socket.",
                    e);
        }
    }

    /** A driver that does not tell its protocol fails a check for that, and is asked all others by S3. */
    private static DataProtocol spoken(DriverInfoResponse info) {
        return Protocols.name(info.getSupportedProtocol()).isEmpty() ? DataProtocol.S3 : info.getSupportedProtocol();
    }

    private static CheckResult ask(SanityCheck check, SanityClient probe) {
        long begun = System.nanoTime();
        Verdict verdict = Verdict.PASSED;
        String remark = "";
        try {
            check.body().ask(probe);
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
        return new CheckResult(check.id(), check.title(), verdict, remark, Duration.ofNanos(System.nanoTime() - begun));
    }

    private static List<String> cleanUp(SanityClient probe) {
        List<String> left = new ArrayList<>();
        probe.remains()
                .grants()
                .forEach(grant -> note(left, "access to " + grant.getBucketName(), probe.revoke(grant)));
        probe.remains()
                .buckets()
                .forEach(bucket -> note(left, "the bucket " + bucket.getBucketName(), probe.deleteWholly(bucket)));
        return left;
    }

    private static void note(List<String> left, String what, RpcResult<?> answer) {
        if (answer instanceof Refused<?> refused && refused.error().meaning() != Meaning.DONE) {
            left.add(what + ": " + refused.code() + " " + refused.message());
        }
    }

    /** There is no driver to ask. */
    public static final class Unreachable extends RuntimeException {
        Unreachable(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
