package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.app.claim.WaitOptions.Progress;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright claim create}. */
@Command(name = "create", mixinStandardHelpOptions = true, description = "Creates a claim, or prints its YAML.")
final class CreateCommand extends BaseCommand {

    private enum Output {
        TEXT,
        YAML
    }

    /** At most one of the two; a class for an existing bucket needs neither. */
    static final class BucketChoice {

        @Option(
                names = "--generate-name",
                paramLabel = "PREFIX",
                required = true,
                description = "Prefix of the bucket name; the rest is generated. Not with --bucket.")
        @Nullable
        String prefix;

        @Option(
                names = "--bucket",
                paramLabel = "BUCKET",
                required = true,
                description = "Name of the bucket; must be unique in the store. Not with --generate-name.")
        @Nullable
        String bucket;
    }

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Parameters(paramLabel = "NAME", description = "Name of the claim, and of its Secret and ConfigMap.")
    private String name = "";

    @Option(names = "--class", paramLabel = "CLASS", description = "StorageClass (default: the default bucket class).")
    private String storageClass = "";

    @ArgGroup
    private @Nullable BucketChoice choice;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "Option of the bucket, such as maxSize=10G. Class and store must support it.")
    private Map<String, String> options = new TreeMap<>();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            paramLabel = "text|yaml",
            description = "Output format; yaml prints the claim and creates nothing.")
    private Output output = Output.TEXT;

    @Override
    public Integer call() throws InterruptedException {
        ObjectBucketClaim claim = claim();
        if (output == Output.YAML) {
            out().print(Serialization.asYaml(claim));
            out().flush();
            return 0;
        }
        try (ClaimClient claims = scope.open()) {
            create(claims, claim, waiting, out(), " created.");
            return 0;
        }
    }

    /** Creates the claim. With --wait, waits until it is Bound, and prints meanwhile why it is not. */
    static void create(ClaimClient claims, ObjectBucketClaim claim, WaitOptions waiting, PrintWriter out, String report)
            throws InterruptedException {
        String key = ClaimText.key(claim);
        claims.create("claim " + key, claim);
        out.println("Claim " + key + report);
        if (waiting.wanted()) {
            waiting.until(() -> {
                ObjectBucketClaim current = claims.read(claim);
                return progress(current, claims.isClassMissing(current));
            });
            out.println(ClaimText.status(claims.read(claim)));
        }
    }

    static Progress progress(ObjectBucketClaim claim, boolean classMissing) {
        return switch (claim.phase()) {
            case BOUND -> new Progress.Done();
            case PENDING ->
                new Progress.Waiting("Waiting: "
                        + (ClaimText.ready(claim).isEmpty() && classMissing
                                ? ClaimText.noConditions(claim, true)
                                : ClaimText.status(claim)));
            case FAILED, RELEASED ->
                throw new CommandException("The claim cannot be bound: " + ClaimText.status(claim));
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
        return claim(scope.namespace(), name, spec);
    }

    static ObjectBucketClaim claim(String namespace, String name, ObjectBucketClaimSpec.Builder spec) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace(namespace).build());
        claim.setSpec(spec.build());
        return claim;
    }
}
