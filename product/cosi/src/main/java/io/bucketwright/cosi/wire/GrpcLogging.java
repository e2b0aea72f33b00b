package io.bucketwright.cosi.wire;

import com.google.protobuf.MessageOrBuilder;
import io.bucketwright.store.errors.InputText;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs each message on one line at level debug, on both sides. A server logs failed calls at level info. No line contains a
 * secret, not even one that the other side quotes in an error message.
 */
public final class GrpcLogging implements ClientInterceptor, ServerInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(GrpcLogging.class);

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        Exchange exchange = new Exchange(method, Level.DEBUG);
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<R> listener, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onMessage(R message) {
                                exchange.answered(message);
                                super.onMessage(message);
                            }

                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                exchange.ended(status);
                                super.onClose(status, trailers);
                            }
                        },
                        headers);
            }

            @Override
            public void sendMessage(Q message) {
                exchange.asked(message);
                super.sendMessage(message);
            }
        };
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Exchange exchange = new Exchange(call.getMethodDescriptor(), Level.INFO);
        ServerCall<Q, R> logged = new SimpleForwardingServerCall<>(call) {
            @Override
            public void sendMessage(R message) {
                exchange.answered(message);
                super.sendMessage(message);
            }

            @Override
            public void close(Status status, Metadata trailers) {
                exchange.ended(status);
                super.close(status, trailers);
            }
        };
        return new SimpleForwardingServerCallListener<>(next.startCall(logged, headers)) {
            @Override
            public void onMessage(Q message) {
                exchange.asked(message);
                super.onMessage(message);
            }
        };
    }

    /** One call in the log. */
    private static final class Exchange {
        private final String method;
        private final Level failures;
        private final long begun = System.nanoTime();
        private final AtomicReference<Object> request = new AtomicReference<>("");

        Exchange(MethodDescriptor<?, ?> method, Level failures) {
            this.method = method.getFullMethodName();
            this.failures = failures;
        }

        void asked(Object message) {
            request.set(message);
            if (LOG.isDebugEnabled()) {
                LOG.debug("{} request {}", method, shown(message));
            }
        }

        void answered(Object message) {
            if (LOG.isDebugEnabled()) {
                LOG.debug("{} response {}", method, shown(message));
            }
        }

        void ended(Status status) {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            if (status.isOk()) {
                LOG.debug("{} took {} ms", method, millis);
            } else if (LOG.isEnabledForLevel(failures)) {
                LOG.atLevel(failures)
                        .log(
                                "{} failed after {} ms with {}: {}; request {}",
                                method,
                                millis,
                                status.getCode(),
                                described(status),
                                shown(request.get()));
            }
        }

        private String described(Status status) {
            String text = status.getDescription() == null ? "" : status.getDescription();
            String scrubbed = request.get() instanceof MessageOrBuilder asked ? Redaction.scrub(text, asked) : text;
            return InputText.quote(scrubbed);
        }

        private static String shown(Object message) {
            return message instanceof MessageOrBuilder known ? Redaction.text(known) : "<unknown>";
        }
    }
}
