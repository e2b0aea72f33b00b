package io.bucketwright.cosi.sidecar.driver;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A COSI driver in one dialect of its protocol. Orders and answers are the same for every dialect, so that the controllers
 * need not know which one the driver speaks.
 *
 * <p>Each call gets how long this process may still act. It fails with a {@code LeadershipLostException} if this process may
 * not act, or not any more when the call ended.
 */
public interface Driver {

    /** The gRPC package, such as {@code cosi.v1}. */
    String dialect();

    /** Whether the driver issues ids for accounts, so that a name may not find an account. */
    boolean issuesIds();

    /**
     * Asks the driver who it is.
     *
     * @throws StatusRuntimeException if the call fails; with UNIMPLEMENTED if the driver does not speak this dialect
     */
    DriverInfo info();

    DriverAnswer<CreatedBucket> create(DriverOrder.Create order, Supplier<Duration> permitted);

    DriverAnswer<EmptyAnswer> delete(DriverOrder.Delete order, Supplier<Duration> permitted);

    DriverAnswer<GrantedAccess> grant(DriverOrder.Grant order, Supplier<Duration> permitted);

    DriverAnswer<EmptyAnswer> revoke(DriverOrder.Revoke order, Supplier<Duration> permitted);
}
