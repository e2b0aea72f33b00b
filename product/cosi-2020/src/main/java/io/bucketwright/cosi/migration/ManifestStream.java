package io.bucketwright.cosi.migration;

import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;

/** A YAML stream with comments about what the manifests do not express. */
final class ManifestStream {

    private final StringBuilder text = new StringBuilder();

    void comment(String line) {
        // Names and parameters are text of others: no line break may end the comment.
        text.append("# ").append(SafeText.line(line, Integer.MAX_VALUE)).append('\n');
    }

    /** Adds a manifest below its remarks. */
    void add(HasMetadata object, List<String> remarks) {
        text.append("---\n");
        remarks.forEach(this::comment);
        text.append(Serialization.asYaml(object).replaceFirst("^---\n", ""));
    }

    /** Mentions an object that has no manifest. */
    void omit(HasMetadata object, String why) {
        text.append("---\n");
        comment(object.getKind() + " " + CosiObjects.key(object) + " is not exported: " + why);
    }

    String text() {
        return text.toString();
    }
}
