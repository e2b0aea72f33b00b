package io.bucketwright.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.app.command.CommandException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of an audit log become writes for other objects. */
class WriteRecordingTest {

    private static final String CLAIMS = "/apis/objectbucket.io/v1alpha1/namespaces/ns/objectbucketclaims";

    private final WriteRecording recording =
            new WriteRecording("sample1", List.of(new CreatedObject(CLAIMS + "/sample1", "uid-a", "10")));

    @Test
    void namesUidsAndVersionsBecomePlaceholders() {
        List<WriteTemplate> bind = recording.templates(List.of(
                line("get", CLAIMS + "/sample1", "objectbucketclaims", "", "{}", "{}", 200),
                line(
                        "patch",
                        CLAIMS + "/sample1?fieldManager=x",
                        "objectbucketclaims",
                        "",
                        "{\"metadata\":{\"resourceVersion\":\"10\",\"labels\":{\"for\":\"sample1\"}}}",
                        "{\"metadata\":{\"name\":\"sample1\",\"uid\":\"uid-a\",\"resourceVersion\":\"11\"}}",
                        200),
                line(
                        "create",
                        "/api/v1/namespaces/ns/secrets",
                        "secrets",
                        "",
                        "{\"metadata\":{\"name\":\"sample1\",\"ownerReferences\":[{\"uid\":\"uid-a\"}]}}",
                        "{\"metadata\":{\"name\":\"sample1\",\"uid\":\"uid-b\",\"resourceVersion\":\"12\"}}",
                        201),
                line("create", "/apis/events.k8s.io/v1/namespaces/ns/events", "events", "", "{}", "{}", 201),
                line("update", "/apis/coordination.k8s.io/v1/namespaces/ns/leases/l", "leases", "", "{}", "{}", 200),
                line("patch", CLAIMS + "/sample1", "objectbucketclaims", "", "{}", "{}", 409),
                line(
                        "patch",
                        CLAIMS + "/sample1/status",
                        "objectbucketclaims",
                        "status",
                        "[{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"11\"}]",
                        "{\"metadata\":{\"name\":\"sample1\",\"uid\":\"uid-a\",\"resourceVersion\":\"13\"}}",
                        200)));
        assertThat(bind)
                .containsExactly(
                        new WriteTemplate(
                                "PATCH",
                                CLAIMS + "/@{name}?fieldManager=x",
                                "application/merge-patch+json",
                                "{\"metadata\":{\"resourceVersion\":\"@{version}\",\"labels\":{\"for\":\"@{name}\"}}}",
                                CLAIMS + "/@{name}"),
                        new WriteTemplate(
                                "POST",
                                "/api/v1/namespaces/ns/secrets",
                                "application/json",
                                "{\"metadata\":{\"name\":\"@{name}\",\"ownerReferences\":[{\"uid\":\"@{uid0}\"}]}}",
                                "/api/v1/namespaces/ns/secrets/@{name}"),
                        new WriteTemplate(
                                "PATCH",
                                CLAIMS + "/@{name}/status",
                                "application/json-patch+json",
                                "[{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"@{version}\"}]",
                                CLAIMS + "/@{name}"));

        List<WriteTemplate> deletion = recording.templates(List.of(line(
                "delete",
                "/api/v1/namespaces/ns/secrets/sample1",
                "secrets",
                "",
                "{\"apiVersion\":\"meta.k8s.io/__internal\",\"preconditions\":{\"uid\":\"uid-b\",\"resourceVersion\":\"12\"}}",
                "{\"kind\":\"Status\",\"metadata\":{}}",
                200)));
        assertThat(deletion.getFirst().body())
                .contains("\"apiVersion\":\"v1\"", "\"uid\":\"@{uid1}\"", "\"resourceVersion\":\"@{version}\"");
    }

    @Test
    void aLogWithoutBodiesIsReported() {
        String line = "{\"verb\":\"create\",\"requestURI\":\"/api/v1/namespaces/ns/secrets\","
                + "\"objectRef\":{\"resource\":\"secrets\"},\"responseStatus\":{\"code\":201}}";
        assertThatThrownBy(() -> recording.templates(List.of(line)))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("local down");
    }

    @Test
    void valuesAreFilledIn() {
        assertThat(WriteTemplate.fill("/x/@{name}?a=@{uid1}-@{uid0}", "mine", List.of("u", "v")))
                .isEqualTo("/x/mine?a=v-u");
        assertThat(
                        WriteTemplate.unconditional(
                                "{\"metadata\":{\"resourceVersion\":\"1\"},\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":\"2\"}}"))
                .isEqualTo("{\"metadata\":{},\"preconditions\":{\"uid\":\"u\"}}");
    }

    private static String line(
            String verb, String uri, String resource, String subresource, String body, String response, int code) {
        return """
                {"verb":"%s","requestURI":"%s","objectRef":{"resource":"%s","subresource":"%s"},\
                "responseStatus":{"code":%d},"requestObject":%s,"responseObject":%s}""".formatted(verb, uri, resource, subresource, code, body, response);
    }
}
