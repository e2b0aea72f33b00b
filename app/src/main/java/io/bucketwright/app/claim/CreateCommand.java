package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.app.claim.WaitOptions.Progress;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
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
                description = "Prefix of the bucket name; the rest is generated.")
        @Nullable
        String prefix;

        @Option(
                names = "--bucket",
                paramLabel = "BUCKET",
                required = true,
                description = "Name of the bucket; must be unique in the store.")
        @Nullable
        String bucket;
    }

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Parameters(paramLabel = "NAME", description = "Name of the claim, and of its Secret and ConfigMap.")
    private String name = "";

    @Option(
            names = "--class",
            defaultValue = "",
            paramLabel = "CLASS",
            description = "StorageClass (default: the default bucket class).")
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
            claims.create(claim);
            String namespace = claim.getMetadata().getNamespace();
            out().println("Claim " + namespace + "/" + name + " created.");
            if (waiting.wanted()) {
                waitUntilBound(waiting, claims, namespace, name);
                out().println(ClaimText.status(claims.read(namespace, name)));
            }
            return 0;
        }
    }

    /** Waits until the claim is Bound, and prints meanwhile why it is not. */
    static void waitUntilBound(WaitOptions waiting, ClaimClient claims, String namespace, String name)
            throws InterruptedException {
        waiting.until(() -> {
            ObjectBucketClaim claim = claims.read(namespace, name);
            return progress(claim, claims.isClassMissing(claim));
        });
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
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(scope.namespace())
                .build());
        claim.setSpec(spec.build());
        return claim;
    }
}
