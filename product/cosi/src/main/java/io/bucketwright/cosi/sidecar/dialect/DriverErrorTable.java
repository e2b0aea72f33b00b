package io.bucketwright.cosi.sidecar.dialect;

import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.wire.Redaction;
import io.bucketwright.runtime.objects.SafeText;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** What the errors of a dialect mean, and the names of its RPCs in their messages. */
public interface DriverErrorTable {

    /** The name of the RPC. */
    String rpc(DriverMethod method);

    <T> DriverAnswer<T> answer(String driver, DriverMethod method, StatusRuntimeException error, Message request);

    /** The driver's message on one line, without the secrets of the request. */
    static String message(Status status, MessageOrBuilder request) {
        String description = status.getDescription();
        String line = description == null ? "" : SafeText.line(Redaction.scrub(description, request));
        return line.isEmpty() ? "no message" : line;
    }
}
