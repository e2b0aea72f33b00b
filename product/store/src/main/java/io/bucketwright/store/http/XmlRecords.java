package io.bucketwright.store.http;

import java.io.ByteArrayInputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the XML of responses as lists of records, without what a store does not need of them. */
public final class XmlRecords {

    private XmlRecords() {}

    /**
     * The texts below each element of one name, by the names of their elements; empty if it is not XML.
     *
     * @param record the name of the elements; empty for the whole document
     * @param wanted the names of interest
     */
    public static Optional<List<Map<String, String>>> find(byte[] xml, String record, Predicate<String> wanted) {
        try {
            return Optional.of(read(xml, record, wanted));
        } catch (XMLStreamException notXml) {
            return Optional.empty();
        }
    }

    /** The text of the first element of that name; empty if there is none, or the response is not XML. */
    public static String text(byte[] xml, String element) {
        return find(xml, "", element::equals)
                .map(found -> found.getFirst().getOrDefault(element, ""))
                .orElse("");
    }

    private static List<Map<String, String>> read(byte[] xml, String record, Predicate<String> wanted)
            throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
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
}
