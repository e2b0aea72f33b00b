package io.bucketwright.store.gcs;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.gcs.BucketContents.Entry;
import io.bucketwright.store.http.XmlRecords;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Incomplete multipart uploads, which only the XML API has. Their parts are stored, and nothing else lists them. */
record MultipartUploads(GcsClient client, Endpoint endpoint) {

    private static final Set<String> PAGE = Set.of("IsTruncated", "NextKeyMarker", "NextUploadIdMarker");
    private static final Set<String> UPLOAD = Set.of("Key", "UploadId");

    /** @param next the last upload before the next page; empty if this page is the last one */
    private record UploadPage(List<Entry> uploads, Optional<Entry> next) {}

    /** Lists uploads; empty if there is none. A page can be empty although more follow. */
    List<Entry> list(StoreCall call, BucketName bucket, int limit) {
        ApiRequest request = ApiRequest.of("list the uploads of " + bucket, "GET", endpoint, "/" + bucket)
                .with("uploads", "")
                .with("max-uploads", Integer.toString(limit));
        UploadPage page = page(call, request);
        while (page.uploads().isEmpty() && page.next().isPresent()) {
            Entry last = page.next().get();
            page = page(call, request.with("key-marker", last.name()).with("upload-id-marker", last.id()));
        }
        return page.uploads();
    }

    private UploadPage page(StoreCall call, ApiRequest request) {
        byte[] xml = client.sendXml(call, request);
        Map<String, String> list = XmlRecords.find(xml, "ListMultipartUploadsResult", PAGE::contains)
                .flatMap(found -> found.stream().findFirst())
                .orElseThrow(() -> ErrorTranslation.unexpectedResponse(request));
        List<Entry> uploads = XmlRecords.find(xml, "Upload", UPLOAD::contains).orElseThrow().stream()
                .map(upload -> new Entry(upload.getOrDefault("Key", ""), upload.getOrDefault("UploadId", ""), true))
                .toList();
        String nextKey = list.getOrDefault("NextKeyMarker", "");
        boolean more = Boolean.parseBoolean(list.getOrDefault("IsTruncated", "")) && !nextKey.isEmpty();
        return new UploadPage(
                uploads,
                more
                        ? Optional.of(new Entry(nextKey, list.getOrDefault("NextUploadIdMarker", ""), true))
                        : Optional.empty());
    }

    void abort(StoreCall call, BucketName bucket, Entry upload) {
        Absence.ignore(() -> client.sendXml(
                call,
                ApiRequest.of(
                                "abort an upload in " + bucket,
                                "DELETE",
                                endpoint,
                                "/" + bucket + "/" + ApiRequest.encode(upload.name()))
                        .with("uploadId", upload.id())));
    }
}
