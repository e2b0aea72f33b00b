package io.bucketwright.runtime.objects;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class SafeTextTest {

    @Test
    void plainTextStaysAsItIs() {
        assertThat(SafeText.line("Größe 10 GiB, naïve 日本")).isEqualTo("Größe 10 GiB, naïve 日本");
        assertThat(SafeText.quoted("naïve 日本")).isEqualTo("\"naïve 日本\"");
    }

    @Test
    void unsafeCharactersAreReplacedOrEscaped() {
        assertThat(SafeText.line(" a\u001b[31m\r\n\u202e\u2028b\ud800 ")).isEqualTo("a [31m b");
        assertThat(SafeText.quoted("a\"\u001b\u202e")).isEqualTo("\"a\\u0022\\u001b\\u202e\"");
    }

    @Test
    void longTextIsCut() {
        assertThat(SafeText.line("x".repeat(241))).isEqualTo("x".repeat(240) + "…");
        assertThat(SafeText.quoted("x".repeat(81))).isEqualTo("\"" + "x".repeat(80) + "…\"");
        assertThat(SafeText.line("x".repeat(240))).hasSize(240);
    }

    @Property
    void anyTextBecomesOneShortLineWithoutControlCharacters(@ForAll String text) {
        assertThat(SafeText.line(text).codePoints())
                .hasSizeLessThanOrEqualTo(241)
                .noneMatch(point -> Character.isISOControl(point)
                        || Character.getType(point) == Character.FORMAT
                        || Character.getType(point) == Character.LINE_SEPARATOR);
        assertThat(SafeText.quoted(text).codePoints())
                .noneMatch(point -> Character.isISOControl(point) || Character.getType(point) == Character.FORMAT);
    }
}
