package io.bucketwright.cosi.sidecar.dialect;

import com.google.protobuf.Message;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.grpc.StatusRuntimeException;

/** What the errors of a dialect mean. */
interface DriverErrorTable {

    <T> DriverAnswer<T> answer(String driver, DriverMethod method, StatusRuntimeException error, Message request);
}
