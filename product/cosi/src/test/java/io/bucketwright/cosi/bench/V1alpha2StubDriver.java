package io.bucketwright.cosi.bench;

import com.google.protobuf.Empty;
import com.google.protobuf.StringValue;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;

/**
 * A driver that speaks {@code sigs.k8s.io.cosi.v1alpha2} only, and reports its name in that protocol. It serves no other call:
 * a sidecar that made one would get UNIMPLEMENTED.
 */
public final class V1alpha2StubDriver extends StubDriver {

    private static final String IDENTITY = "sigs.k8s.io.cosi.v1alpha2.Identity";

    /** The name is the first field of the response, as in a StringValue. */
    private static final MethodDescriptor<Empty, StringValue> GET_INFO =
            MethodDescriptor.<Empty, StringValue>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(IDENTITY, "DriverGetInfo"))
                    .setRequestMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .build();

    public V1alpha2StubDriver(String name) {
        start(() -> ServerServiceDefinition.builder(IDENTITY)
                .addMethod(
                        GET_INFO,
                        ServerCalls.asyncUnaryCall(
                                (request, observer) -> serve(request, observer, () -> StringValue.of(name))))
                .build());
    }
}
