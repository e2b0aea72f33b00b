package io.bucketwright.cosi.wire;

import com.google.protobuf.Empty;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.TimeUnit;

/**
 * The protocol of v1alpha2, which Kubernetes SIG Storage has not released. A driver that speaks only this one is recognized
 * by the name of its service, so that a message can say so. No other call of it is made.
 */
public final class UnreleasedProtocol {

    /** What is wrong with such a driver and what to do, without its subject. */
    public static final String PROBLEM = "speaks sigs.k8s.io.cosi.v1alpha2, which is not released: run a version of the"
            + " driver that speaks cosi.v1alpha1";

    /** The driver has just answered other calls, so it answers this one soon. */
    private static final long TIMEOUT_SECONDS = 10;

    /** The messages change while their names stay, so none of their fields is read. */
    private static final MethodDescriptor<Empty, Empty> GET_INFO = MethodDescriptor.<Empty, Empty>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("sigs.k8s.io.cosi.v1alpha2.Identity/DriverGetInfo")
            .setRequestMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
            .setResponseMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
            .build();

    private UnreleasedProtocol() {}

    /**
     * Whether the driver speaks it. Ask only a driver that speaks no other protocol.
     *
     * @throws StatusRuntimeException if the driver does not answer
     */
    public static boolean isSpoken(Channel channel) {
        try {
            ClientCalls.blockingUnaryCall(
                    channel,
                    GET_INFO,
                    CallOptions.DEFAULT.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS),
                    Empty.getDefaultInstance());
            return true;
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                return false;
            }
            throw e;
        }
    }
}
