package io.bucketwright.volumes.podclaims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Text of untrusted authors. */
class UntrustedYamlTest {

    static Stream<String> malicious() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        return Stream.of(
                bomb.toString(),
                "&a {kind: PersistentVolumeClaim, spec: *a}",
                "base: &b {x: 1}\nspec: {<<: *b}",
                "!!javax.script.ScriptEngineManager [!!java.net.URL [\"http://127.0.0.1/\"]]",
                "kind: !!str PersistentVolumeClaim",
                "x: " + "[".repeat(5_000) + "]".repeat(5_000),
                "{\"x\": " + "[".repeat(5_000) + "]".repeat(5_000) + "}",
                "apiVersion: v1\nkind: PersistentVolumeClaim\nnote: " + "x".repeat(70_000),
                "apiVersion: v1\nkind: PersistentVolumeClaim\nspec: {}\n---\nkind: Secret\n",
                "{\"kind\": \"PersistentVolumeClaim\"} {\"kind\": \"Secret\"}",
                "kind: A\nkind: B",
                "{\"kind\": \"A\", \"kind\": \"B\"}",
                "? [a, b]\n: c",
                "kind: \"unfinished",
                "%YAML 9.9\n---\nx",
                "just words",
                "- a\n- list",
                "42",
                "~",
                "\u0000\u0007\u001b[31m");
    }

    @ParameterizedTest
    @MethodSource("malicious")
    void isRejectedWithOneSafeLine(String text) {
        assertThatThrownBy(() -> ClaimTemplate.read(text, "ns"))
                .isInstanceOfSatisfying(
                        InvalidTemplateException.class,
                        e -> assertThat(e.getMessage()).hasSizeLessThan(400).matches("[^\\p{Cntrl}]+"));
    }

    @Test
    void ordinaryYamlAndJsonAreRead() throws InvalidTemplateException {
        assertThat(UntrustedYaml.mapping("---\na: 1\nb: [x, 'y']\n"))
                .isEqualTo(Map.of("a", 1, "b", java.util.List.of("x", "y")));
        assertThat(UntrustedYaml.mapping("{\"a\":\t1}")).isEqualTo(Map.of("a", 1));
        assertThat(UntrustedYaml.mapping("{a: 1}")).isEqualTo(Map.of("a", 1));
        assertThat(UntrustedYaml.mapping("a: &unused 1")).isEqualTo(Map.of("a", 1));
    }
}
