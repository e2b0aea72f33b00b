package io.bucketwright.cosi.wire;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.util.concurrent.Executors;

/** Opens gRPC channels to the socket of a driver. */
public final class SocketChannels {

    private SocketChannels() {}

    /** A channel that connects at its first call and reconnects when the server restarts. Shut it down at the end. */
    public static ManagedChannel open(SocketPath socket) {
        return Grpc.newChannelBuilder(socket.target(), InsecureChannelCredentials.create())
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                // The authority would be the path, percent-encoded, which some servers refuse.
                .overrideAuthority("localhost")
                .intercept(new GrpcLogging())
                .build();
    }
}
