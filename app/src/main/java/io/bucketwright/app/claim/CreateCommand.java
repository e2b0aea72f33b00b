package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
import io.bucketwright.app.claim.WaitOptions.Look;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim create}. */
@Command(name = "create", mixinStandardHelpOptions = true, description = "Makes a claim, or shows the YAML of one.")
final class CreateCommand extends AnsweringCommand {

    private enum Output {
        TEXT,
        YAML
    }

    /** At most one of them: the class of an existing bucket needs neither. */
    static final class BucketChoice {

        @Option(
                names = "--generate-name",
                paramLabel = "PREFIX",
                required = true,
                description = "How the bucket's name begins; the rest is made up.")
        @Nullable
        String prefix;

        @Option(
                names = "--bucket",
                paramLabel = "BUCKET",
                required = true,
                description = "The bucket's whole name; nobody else who uses the store may have it.")
        @Nullable
        String bucket;
    }

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Parameters(paramLabel = "NAME", description = "The claim, and the Secret and ConfigMap that are made for it.")
    private String name = "";

    @Option(
            names = "--class",
            defaultValue = "",
            paramLabel = "CLASS",
            description = "The StorageClass (default: the default bucket class).")
    private String storageClass = "";

    @ArgGroup
    private @Nullable BucketChoice choice;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "An option of the bucket, such as maxSize=10G, as far as class and store have it.")
    private Map<String, String> options = new TreeMap<>();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            paramLabel = "text|yaml",
            description = "yaml shows the claim and makes nothing.")
    private Output output = Output.TEXT;

    @Override
    public Integer call() throws InterruptedException {
        ObjectBucketClaim claim = claim();
        if (output == Output.YAML) {
            out().print(Serialization.asYaml(claim));
            out().flush();
            return 0;
        }
        try (Claims claims = scope.open()) {
            claims.create(claim);
            String namespace = claim.getMetadata().getNamespace();
            out().println("Claim " + namespace + "/" + name + " is made.");
            if (waiting.wanted()) {
                waiting.until(() -> look(claims.read(namespace, name)), out());
                out().println(Words.plain(Words.state(claims.read(namespace, name))));
            }
            return 0;
        }
    }

    static Look look(ObjectBucketClaim claim) {
        return switch (claim.phase()) {
            case BOUND -> new Look.Done();
            case PENDING -> new Look.Waiting("Waiting: " + Words.plain(Words.state(claim)));
            case FAILED, RELEASED -> throw new Failure("The claim cannot be bound: " + Words.plain(Words.state(claim)));
        };
    }

    private ObjectBucketClaim claim() {
        ObjectBucketClaimSpec.Builder spec = ObjectBucketClaimSpec.builder();
        if (!storageClass.isBlank()) {
            spec.storageClassName(storageClass);
        }
        if (choice != null && choice.prefix != null) {
            spec.generateBucketName(choice.prefix);
        }
        if (choice != null && choice.bucket != null) {
            spec.bucketName(choice.bucket);
        }
        if (!options.isEmpty()) {
            spec.additionalConfig(options);
        }
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(scope.namespace())
                .build());
        claim.setSpec(spec.build());
        return claim;
    }
}
