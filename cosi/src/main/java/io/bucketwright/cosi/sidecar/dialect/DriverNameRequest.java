package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Asks a driver for its name before a sidecar starts, which needs the name for its Lease and its objects. */
public final class DriverNameRequest {

    private DriverNameRequest() {}

    /**
     * Asks until the driver answers.
     *
     * @param call returns the name, and waits as long as the driver does not listen
     * @param otherDialect what the driver speaks instead and what to do, the end of a sentence, if it does not implement the
     *     call; empty if that is not known
     * @throws IllegalStateException if it does not answer in time, has no name, or does not implement the call
     */
    public static String send(
            String endpoint,
            Duration atMost,
            Function<ManagedChannel, String> call,
            Function<ManagedChannel, Optional<String>> otherDialect) {
        ManagedChannel channel = SocketChannels.open(SocketPath.parse(endpoint));
        String driver = "The driver at " + endpoint;
        try {
            String name = call.apply(channel);
            if (name.isBlank()) {
                throw new IllegalStateException(driver + " reports no name. Set the name that its classes have.");
            }
            return name;
        } catch (StatusRuntimeException e) {
            Optional<String> other = e.getStatus().getCode() == Status.Code.UNIMPLEMENTED
                    ? otherDialect.apply(channel)
                    : Optional.empty();
            throw new IllegalStateException(
                    driver
                            + other.orElse(" did not report its name within " + atMost.toSeconds() + " s: "
                                    + e.getStatus().getCode() + ". Check the driver and its socket."),
                    e);
        } finally {
            channel.shutdownNow();
        }
    }
}
