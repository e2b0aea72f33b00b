package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A report in the XML format of JUnit, which build servers read. */
public final class JUnitXml {

    private JUnitXml() {}

    public static String of(SanityReport report) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", "cosi-sanity: " + clean(report.driver()));
            xml.writeAttribute("tests", Integer.toString(report.outcomes().size()));
            xml.writeAttribute("failures", count(report, Verdict.FAILED));
            xml.writeAttribute("errors", Integer.toString(report.leftBehind().isEmpty() ? 0 : 1));
            xml.writeAttribute("skipped", count(report, Verdict.SKIPPED));
            xml.writeAttribute(
                    "time",
                    seconds(report.outcomes().stream().map(CheckResult::took).reduce(Duration.ZERO, Duration::plus)));
            for (CheckResult outcome : report.outcomes()) {
                write(xml, outcome);
            }
            if (!report.leftBehind().isEmpty()) {
                xml.writeStartElement("testcase");
                xml.writeAttribute("classname", "cosi-sanity");
                xml.writeAttribute("name", "cleanup: The suite deletes what it created");
                element(xml, "error", String.join(" ", report.leftBehind()));
                xml.writeEndElement();
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("Text cannot be written into memory.", e);
        }
        return text.append('\n').toString();
    }

    private static void write(XMLStreamWriter xml, CheckResult outcome) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "cosi-sanity");
        xml.writeAttribute("name", outcome.id() + ": " + outcome.title());
        xml.writeAttribute("time", seconds(outcome.took()));
        switch (outcome.verdict()) {
            case PASSED -> {}
            case FAILED -> element(xml, "failure", outcome.remark());
            case SKIPPED -> element(xml, "skipped", outcome.remark());
        }
        xml.writeEndElement();
    }

    private static void element(XMLStreamWriter xml, String name, String message) throws XMLStreamException {
        xml.writeEmptyElement(name);
        xml.writeAttribute("message", clean(message));
    }

    private static String count(SanityReport report, Verdict verdict) {
        return Integer.toString(report.ids(verdict).size());
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
    }

    /** Replaces the characters of a driver's message that XML does not allow. */
    private static String clean(String text) {
        return text.codePoints()
                .map(point ->
                        Character.isISOControl(point) || !Character.isDefined(point) || point >= 0xFFFE ? ' ' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
