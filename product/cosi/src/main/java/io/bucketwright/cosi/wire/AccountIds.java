package io.bucketwright.cosi.wire;

import io.grpc.BindableService;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.ServerInterceptors;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a driver of {@code cosi.v1alpha1} issues ids for accounts of its own. The messages cannot say it: a driver whose
 * ids are the requested names says so in a header of its answer to DriverGetInfo. To revoke such a name proves that nothing
 * is left of it, also after a grant whose answer was lost.
 */
public final class AccountIds {

    private static final Metadata.Key<String> HEADER =
            Metadata.Key.of("bucketwright-account-ids", Metadata.ASCII_STRING_MARSHALLER);

    private static final String NAMES = "names";

    private final AtomicReference<Metadata> headers = new AtomicReference<>(new Metadata());

    /** Adds the header to all answers of a service. */
    public static BindableService areNames(BindableService service) {
        Metadata header = new Metadata();
        header.put(HEADER, NAMES);
        return () -> ServerInterceptors.intercept(service, MetadataUtils.newAttachMetadataServerInterceptor(header));
    }

    /** The channel, whose answers are read for the header. */
    public Channel reading(Channel channel) {
        return ClientInterceptors.intercept(
                channel, MetadataUtils.newCaptureMetadataInterceptor(headers, new AtomicReference<>()));
    }

    /** Whether the last answer has no such header. */
    public boolean areIssued() {
        Metadata last = headers.get();
        return last == null || !NAMES.equals(last.get(HEADER));
    }
}
