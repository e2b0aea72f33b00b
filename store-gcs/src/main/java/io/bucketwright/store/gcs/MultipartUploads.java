package io.bucketwright.store.gcs;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.gcs.rest.ApiRequest;
import io.bucketwright.store.gcs.rest.ErrorTranslation;
import io.bucketwright.store.gcs.rest.GcsClient;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Incomplete multipart uploads, which only the XML API has. Their parts are stored, and nothing else lists them. */
record MultipartUploads(GcsClient client, Endpoint endpoint) {

    record Upload(String key, String id) {}

    List<Upload> list(StoreCall call, BucketName bucket, int limit) {
        ApiRequest request = ApiRequest.of("list the uploads of " + bucket, "GET", endpoint, "/" + bucket)
                .with("uploads", "")
                .with("max-uploads", Integer.toString(limit));
        try {
            return parse(client.sendXml(call, request));
        } catch (XMLStreamException notXml) {
            throw ErrorTranslation.unexpectedResponse(request);
        }
    }

    void abort(StoreCall call, BucketName bucket, Upload upload) {
        try {
            client.sendXml(
                    call,
                    ApiRequest.of(
                                    "abort an upload in " + bucket,
                                    "DELETE",
                                    endpoint,
                                    "/" + bucket + "/" + ApiRequest.encode(upload.key()))
                            .with("uploadId", upload.id()));
        } catch (NotFound finishedMeanwhile) {
            // The upload was completed or aborted meanwhile.
        }
    }

    private static List<Upload> parse(String xml) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml));
        List<Upload> uploads = new ArrayList<>();
        boolean result = false;
        boolean inUpload = false;
        String key = "";
        String id = "";
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamReader.START_ELEMENT) {
                switch (reader.getLocalName()) {
                    case "ListMultipartUploadsResult" -> result = true;
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
        return uploads;
    }
}
