package io.bucketwright.store.s3.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.InterceptorContext;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.services.s3.model.ListBucketsRequest;

/**
 * Sends requests to the administration API of a store, which the AWS SDK does not know. They have the same signature as
 * requests to S3, the same limits, and errors in the same form.
 */
public final class AdminClient implements AutoCloseable {

    /** The process has a heap of 64 MiB, and a body is in it three times: as bytes, as text and parsed. */
    static final int MAX_BODY = 4 << 20;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final Pattern XML_CODE = Pattern.compile("<Code>([A-Za-z0-9._-]{1,100})</Code>");
    private static final Pattern XML_MESSAGE = Pattern.compile("<Message>([^<]{1,1000})</Message>");

    /** An error response, in the form of those of the AWS SDK. */
    static final class AdminException extends AwsServiceException {

        private static final long serialVersionUID = 1L;

        private AdminException(AwsServiceException.Builder builder) {
            super(builder);
        }
    }

    /** The cause of a {@link StoreException}: a successful response has a longer body than is read. */
    public static final class ResponseTooLongException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private ResponseTooLongException() {
            super("The body has more than " + MAX_BODY + " bytes.");
        }
    }

    private final Endpoint endpoint;
    private final String region;
    private final SdkHttpClient http;
    private final AwsCredentialsProvider credentials;
    private final List<ExecutionInterceptor> interceptors;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    AdminClient(
            Endpoint endpoint,
            String region,
            SdkHttpClient http,
            AwsCredentialsProvider credentials,
            List<ExecutionInterceptor> interceptors) {
        this.endpoint = endpoint;
        this.region = region;
        this.http = http;
        this.credentials = credentials;
        this.interceptors = List.copyOf(interceptors);
    }

    /** The secret of the credentials that sign the requests. Some stores encrypt what they send with it. */
    public String secret() {
        return credentials.resolveCredentials().secretAccessKey();
    }

    /**
     * Sends a request and returns the body of the response.
     *
     * @param action completes the sentence "Could not …"
     * @throws StoreException if there is no response, its status is not 2xx, or its body is longer than 4 MiB
     */
    public byte[] send(StoreCall call, String action, AdminRequest request) {
        return StoreRequest.send(call, action, () -> exchange(action, call.remaining(), request));
    }

    /**
     * As {@link #send}, for a response that is a JSON object or list.
     *
     * @throws Unavailable if it is not: it comes from something else than the store
     */
    public JsonNode json(StoreCall call, String action, AdminRequest request) {
        return parse(new String(send(call, action, request), StandardCharsets.UTF_8))
                .filter(JsonNode::isContainerNode)
                .orElseThrow(() -> StoreRequest.emptyResponse(action));
    }

    @Override
    public void close() {
        http.close();
    }

    private byte[] exchange(String action, Duration limit, AdminRequest request) {
        ExecutionAttributes attributes = new ExecutionAttributes();
        SignedRequest signed = sign(request, attributes);
        HttpExecuteRequest.Builder prepared = HttpExecuteRequest.builder().request(signed.request());
        signed.payload().ifPresent(prepared::contentStreamProvider);
        ExecutableHttpRequest exchange = http.prepareRequest(prepared.build());
        InterceptorContext sent = context(signed.request());
        interceptors.forEach(interceptor -> interceptor.beforeTransmission(sent, attributes));
        Thread guard = Thread.ofVirtual().start(() -> abortAfter(limit, exchange));
        try {
            HttpExecuteResponse response = exchange.call();
            byte[] body = read(response);
            InterceptorContext received =
                    sent.toBuilder().httpResponse(response.httpResponse()).build();
            interceptors.forEach(interceptor -> interceptor.afterTransmission(received, attributes));
            if (!response.httpResponse().isSuccessful()) {
                throw error(response.httpResponse(), body);
            }
            if (body.length > MAX_BODY) {
                throw tooLong(action, request);
            }
            return body;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            guard.interrupt();
        }
    }

    /** Interceptors only know requests of the SDK; this one stands for all others. */
    private static InterceptorContext context(SdkHttpRequest request) {
        return InterceptorContext.builder()
                .request(ListBucketsRequest.builder().build())
                .httpRequest(request)
                .build();
    }

    private SignedRequest sign(AdminRequest request, ExecutionAttributes attributes) {
        SdkHttpRequest.Builder unsigned = SdkHttpRequest.builder()
                .uri(endpoint.uri())
                .method(request.method())
                .encodedPath(request.path());
        request.query().forEach(unsigned::putRawQueryParameter);
        byte[] body = request.body().asByteArray();
        if (body.length > 0) {
            unsigned.putHeader("Content-Type", "application/octet-stream");
            unsigned.putHeader("Content-Length", Integer.toString(body.length));
        }
        SdkHttpRequest modified = unsigned.build();
        for (ExecutionInterceptor interceptor : interceptors) {
            modified = interceptor.modifyHttpRequest(context(modified), attributes);
        }
        SdkHttpRequest complete = modified;
        return signer.sign(sign -> {
            sign.identity(credentials.resolveCredentials())
                    .request(complete)
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false);
            if (body.length > 0) {
                sign.payload(ContentStreamProvider.fromByteArrayUnsafe(body));
            }
        });
    }

    private static void abortAfter(Duration limit, ExecutableHttpRequest exchange) {
        try {
            Thread.sleep(limit);
            exchange.abort();
        } catch (InterruptedException responded) {
            // The response came in time.
        }
    }

    /** What is cut off would look like a response of something else. */
    private static Unavailable tooLong(String action, AdminRequest request) {
        return new Unavailable(
                "Could not " + action + ": the response to " + request.method() + " " + request.path()
                        + " is longer than the limit of " + (MAX_BODY >> 20)
                        + " MiB. The store has too many buckets or users"
                        + " for this request. Delete those that are not needed, or use the tools of the store for it.",
                new ResponseTooLongException());
    }

    /** The body, or one byte more than the limit. A response without a body has no stream. */
    private static byte[] read(HttpExecuteResponse response) throws IOException {
        if (response.responseBody().isEmpty()) {
            return new byte[0];
        }
        try (AbortableInputStream body = response.responseBody().get()) {
            byte[] read = body.readNBytes(MAX_BODY + 1);
            if (read.length > MAX_BODY) {
                body.abort();
            }
            return read;
        }
    }

    private static AdminException error(SdkHttpResponse response, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        return new AdminException(AwsServiceException.builder()
                .statusCode(response.statusCode())
                .awsErrorDetails(AwsErrorDetails.builder()
                        .sdkHttpResponse(response)
                        .errorCode(field(text, "Code", XML_CODE).orElse(null))
                        .errorMessage(field(text, "Message", XML_MESSAGE).orElse(null))
                        .build()));
    }

    /** Errors before the administration API is reached are in XML, as those of S3. */
    private static Optional<String> field(String body, String name, Pattern xml) {
        if (body.stripLeading().startsWith("{")) {
            return parse(body).map(node -> node.path(name).textValue());
        }
        Matcher matcher = xml.matcher(body);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Optional<JsonNode> parse(String body) {
        try {
            return Optional.of(JSON.readTree(body));
        } catch (JsonProcessingException malformed) {
            return Optional.empty();
        }
    }
}
