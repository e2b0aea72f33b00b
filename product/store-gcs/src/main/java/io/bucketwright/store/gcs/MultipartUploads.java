package io.bucketwright.store.gcs;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.Absence;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Incomplete multipart uploads, which only the XML API has. Their parts are stored, and nothing else lists them. */
record MultipartUploads(GcsClient client, Endpoint endpoint) {

    record Upload(String key, String id) {}

    /** @param next the last upload before the next page; empty if this page is the last one */
    private record UploadPage(List<Upload> uploads, Optional<Upload> next) {}

    /** Lists uploads; empty if there is none. A page can be empty although more follow. */
    List<Upload> list(StoreCall call, BucketName bucket, int limit) {
        ApiRequest request = ApiRequest.of("list the uploads of " + bucket, "GET", endpoint, "/" + bucket)
                .with("uploads", "")
                .with("max-uploads", Integer.toString(limit));
        UploadPage page = page(call, request);
        while (page.uploads().isEmpty() && page.next().isPresent()) {
            Upload last = page.next().get();
            page = page(call, request.with("key-marker", last.key()).with("upload-id-marker", last.id()));
        }
        return page.uploads();
    }

    private UploadPage page(StoreCall call, ApiRequest request) {
        try {
            return parse(client.sendXml(call, request));
        } catch (XMLStreamException notXml) {
            throw ErrorTranslation.unexpectedResponse(request);
        }
    }

    void abort(StoreCall call, BucketName bucket, Upload upload) {
        Absence.ignore(() -> client.sendXml(
                call,
                ApiRequest.of(
                                "abort an upload in " + bucket,
                                "DELETE",
                                endpoint,
                                "/" + bucket + "/" + ApiRequest.encode(upload.key()))
                        .with("uploadId", upload.id())));
    }

    private static UploadPage parse(String xml) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml));
        List<Upload> uploads = new ArrayList<>();
        boolean result = false;
        boolean inUpload = false;
        boolean truncated = false;
        String nextKey = "";
        String nextId = "";
        String key = "";
        String id = "";
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamReader.START_ELEMENT) {
                switch (reader.getLocalName()) {
                    case "ListMultipartUploadsResult" -> result = true;
                    case "IsTruncated" -> truncated = Boolean.parseBoolean(reader.getElementText());
                    case "NextKeyMarker" -> nextKey = reader.getElementText();
                    case "NextUploadIdMarker" -> nextId = reader.getElementText();
                    case "Upload" -> inUpload = true;
                    case "Key" -> key = inUpload ? reader.getElementText() : key;
                    case "UploadId" -> id = inUpload ? reader.getElementText() : id;
                    default -> {}
                }
            } else if (event == XMLStreamReader.END_ELEMENT
                    && reader.getLocalName().equals("Upload")) {
                uploads.add(new Upload(key, id));
                inUpload = false;
            }
        }
        if (!result) {
            throw new XMLStreamException("not a list of uploads");
        }
        boolean more = truncated && !nextKey.isEmpty();
        return new UploadPage(uploads, more ? Optional.of(new Upload(nextKey, nextId)) : Optional.empty());
    }
}
