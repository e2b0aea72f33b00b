package io.bucketwright.cosi.sidecar.dialect;

import com.google.protobuf.Message;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.grpc.StatusRuntimeException;

/** What the errors of a dialect mean, and the names of its RPCs in their messages. */
interface DriverErrorTable {

    /** The name of the RPC. */
    String rpc(DriverMethod method);

    <T> DriverAnswer<T> answer(String driver, DriverMethod method, StatusRuntimeException error, Message request);
}
