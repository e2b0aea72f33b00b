package io.bucketwright.store.azure;

import io.bucketwright.store.BucketPage;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.http.XmlRecords;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

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
        return new Page(blobs, XmlRecords.text(xml, "NextMarker"));
    }

    /** A page of the list of containers with their metadata. */
    static BucketPage containers(byte[] xml) {
        List<ListedBucket> containers = records(xml, "Container", _ -> true).stream()
                .map(container -> new ListedBucket(
                        container.getOrDefault("Name", ""),
                        OwnershipTags.read(MetadataNames.ownership(container)),
                        Optional.empty()))
                .toList();
        return new BucketPage(
                containers, Optional.of(XmlRecords.text(xml, "NextMarker")).filter(Predicate.not(String::isEmpty)));
    }

    private static List<Map<String, String>> records(byte[] xml, String element, Predicate<String> wanted) {
        return XmlRecords.find(xml, element, wanted)
                .orElseThrow(() -> new Unavailable("The response of the store is not the expected XML."));
    }

    private static void append(StringBuilder xml, String element, String text) {
        if (!text.isEmpty()) {
            String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            xml.append('<').append(element).append('>').append(escaped);
            xml.append("</").append(element).append('>');
        }
    }
}
