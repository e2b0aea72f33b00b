package io.bucketwright.store.azure;

import io.bucketwright.store.BucketPage;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.ByteArrayInputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads and writes the XML of the Blob service. */
final class BlobXml {

    /** Of a blob, nothing else is kept: a page has a thousand of them. */
    private static final Set<String> BLOB =
            Set.of("Name", "Snapshot", "IsCurrentVersion", "VersionId", "Content-Length");

    private BlobXml() {}

    /** @param next continues the list; empty at its end */
    record Page(List<Blob> blobs, String next) {}

    /**
     * A blob, a snapshot, a version or an upload without a committed block.
     *
     * @param snapshot empty if it is none
     * @param version empty if it is not a previous version
     */
    record Blob(String name, String snapshot, String version, long length) {}

    /**
     * The text of the first element of that name; empty if there is none, or the response is not XML.
     */
    static String text(byte[] xml, String element) {
        try {
            List<Map<String, String>> found = elements(xml, "", element::equals);
            return found.isEmpty() ? "" : found.getFirst().getOrDefault(element, "");
        } catch (XMLStreamException notXml) {
            return "";
        }
    }

    /** The stored access policies in the response that returns them. */
    static List<StoredPolicy> policies(byte[] xml) {
        return records(xml, "SignedIdentifier", _ -> true).stream()
                .map(policy -> new StoredPolicy(
                        policy.getOrDefault("Id", ""),
                        policy.getOrDefault("Start", ""),
                        policy.getOrDefault("Expiry", ""),
                        policy.getOrDefault("Permission", "")))
                .toList();
    }

    /** The request that sets stored access policies. */
    static String policies(List<StoredPolicy> policies) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><SignedIdentifiers>");
        for (StoredPolicy policy : policies) {
            xml.append("<SignedIdentifier>");
            append(xml, "Id", policy.id());
            xml.append("<AccessPolicy>");
            append(xml, "Start", policy.start());
            append(xml, "Expiry", policy.expiry());
            append(xml, "Permission", policy.permission());
            xml.append("</AccessPolicy></SignedIdentifier>");
        }
        return xml.append("</SignedIdentifiers>").toString();
    }

    /** A page of a list of blobs. */
    static Page blobs(byte[] xml) {
        List<Blob> blobs = records(xml, "Blob", BLOB::contains).stream()
                .map(blob -> new Blob(
                        blob.getOrDefault("Name", ""),
                        blob.getOrDefault("Snapshot", ""),
                        // The current version is deleted like a blob without versions.
                        blob.getOrDefault("IsCurrentVersion", "").equals("true")
                                ? ""
                                : blob.getOrDefault("VersionId", ""),
                        Long.parseLong(blob.getOrDefault("Content-Length", "0"))))
                .toList();
        return new Page(blobs, text(xml, "NextMarker"));
    }

    /** A page of the list of containers with their metadata. */
    static BucketPage containers(byte[] xml) {
        List<ListedBucket> containers = records(xml, "Container", _ -> true).stream()
                .map(container -> new ListedBucket(
                        container.getOrDefault("Name", ""),
                        OwnershipTags.read(MetadataNames.ownership(container)),
                        Optional.empty()))
                .toList();
        return new BucketPage(containers, Optional.of(text(xml, "NextMarker")).filter(Predicate.not(String::isEmpty)));
    }

    private static List<Map<String, String>> records(byte[] xml, String element, Predicate<String> wanted) {
        try {
            return elements(xml, element, wanted);
        } catch (XMLStreamException e) {
            throw new Unavailable("The response of the store is not the expected XML.", e);
        }
    }

    /**
     * The texts below each element of one name, by the names of their elements.
     *
     * @param record the name of the elements; empty for the whole document
     * @param wanted the names of interest
     */
    private static List<Map<String, String>> elements(byte[] xml, String record, Predicate<String> wanted)
            throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(xml));
        List<Map<String, String>> found = new ArrayList<>();
        Map<String, String> current = new HashMap<>();
        boolean inside = record.isEmpty();
        String name = "";
        boolean encoded = false;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    name = reader.getLocalName();
                    encoded = "true".equals(reader.getAttributeValue(null, "Encoded"));
                    if (name.equals(record)) {
                        inside = true;
                        current = new HashMap<>();
                    }
                }
                case XMLStreamConstants.CHARACTERS -> {
                    if (inside && !name.isEmpty() && wanted.test(name)) {
                        current.putIfAbsent(name, decoded(reader.getText(), encoded));
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    name = "";
                    if (reader.getLocalName().equals(record)) {
                        inside = false;
                        found.add(current);
                    }
                }
                default -> {
                    // Comments and processing instructions do not matter.
                }
            }
        }
        if (record.isEmpty()) {
            found.add(current);
        }
        return found;
    }

    /** Azure encodes names that XML cannot contain. */
    private static String decoded(String text, boolean encoded) {
        return encoded ? URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8) : text;
    }

    private static void append(StringBuilder xml, String element, String text) {
        if (!text.isEmpty()) {
            String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            xml.append('<').append(element).append('>').append(escaped);
            xml.append("</").append(element).append('>');
        }
    }
}
