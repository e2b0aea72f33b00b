package io.bucketwright.cosi.sanity;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.sanity.CheckResult.Verdict;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class JUnitXmlTest {

    private static final List<CheckResult> OUTCOMES = List.of(
            new CheckResult("a", "It does a", Verdict.PASSED, "", Duration.ofMillis(1500)),
            new CheckResult("b", "It does b", Verdict.FAILED, "It said \"<no>\" & \u0000\u001b[2J\n", Duration.ZERO),
            new CheckResult("c", "It does c", Verdict.SKIPPED, "nothing to ask with", Duration.ZERO));

    @Test
    void aBuildServerCanReadItWhateverTheDriverSaid() throws Exception {
        Element suite = parsed(new SanityReport("d\u0001river", "s3", OUTCOMES, List.of()));

        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        assertThat(suite.getAttribute("errors")).isEqualTo("0");
        assertThat(suite.getAttribute("time")).isEqualTo("1.500");
        assertThat(first(suite, "failure").getAttribute("message")).startsWith("It said \"<no>\" & ");
        assertThat(first(suite, "testcase").getAttribute("name")).isEqualTo("a: It does a");
    }

    @Test
    void whatWasLeftBehindIsAnError() throws Exception {
        Element suite = parsed(new SanityReport("driver", "s3", OUTCOMES, List.of("the bucket x: UNAVAILABLE")));

        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(first(suite, "error").getAttribute("message")).contains("the bucket x");
    }

    private static Element first(Element suite, String name) {
        return (Element) suite.getElementsByTagName(name).item(0);
    }

    private static Element parsed(SanityReport report) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(JUnitXml.of(report))))
                .getDocumentElement();
    }
}
