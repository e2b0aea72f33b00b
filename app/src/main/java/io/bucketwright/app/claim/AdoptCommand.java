package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bucketwright claim adopt}. Only a class can allow adoption, so the command creates a class that adopts this
 * bucket for this namespace, and a claim of that class.
 */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Binds a new claim to an existing bucket: one that was retained when its claim was deleted, or, with"
                    + " --untagged, one that Bucketwright did not create.",
            "The bucket is not deleted with the claim. Requires permission to create StorageClasses."
        })
public final class AdoptCommand extends BaseCommand {

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Parameters(paramLabel = "BUCKET", description = "Name of the bucket in the store.")
    private String bucket = "";

    @Option(
            names = "--class",
            required = true,
            paramLabel = "CLASS",
            description = "StorageClass of the store that has the bucket; its parameters are copied.")
    private String storageClass = "";

    @Option(names = "--claim", required = true, paramLabel = "NAME", description = "Name of the claim to create.")
    private String claim = "";

    @Option(
            names = "--untagged",
            description = "Adopt the bucket even if it has no ownership tag. Make sure that nobody else uses it.")
    private boolean untagged;

    @Override
    public Integer call() throws InterruptedException {
        checkName();
        String namespace = scope.namespace();
        try (ClaimClient claims = scope.open()) {
            StorageClass adopting = adopting(claims.readClass(storageClass), namespace);
            String name = adopting.getMetadata().getName();
            if (!claims.hasClass(name)) {
                claims.create("StorageClass " + name, adopting);
            }
            CreateCommand.create(
                    claims,
                    CreateCommand.claim(
                            namespace,
                            claim,
                            ObjectBucketClaimSpec.builder()
                                    .storageClassName(name)
                                    .bucketName(bucket)),
                    waiting,
                    out(),
                    " created for bucket " + bucket + " with StorageClass " + name
                            + ". You can delete that class when the claim is Bound.");
            return 0;
        }
    }

    private void checkName() {
        try {
            BucketName _ = new BucketName(bucket);
        } catch (Invalid e) {
            throw usageError(e);
        }
    }

    /** A class for the same store that allows only this bucket and this namespace. */
    StorageClass adopting(StorageClass base, String namespace) {
        @Nullable Map<String, String> given = base.getParameters();
        Map<String, String> parameters = new TreeMap<>(given == null ? Map.of() : given);
        if (parameters.containsKey(ClassParameters.BUCKET_NAME)) {
            throw new CommandException("StorageClass " + storageClass + " is for the existing bucket "
                    + ClaimText.plain(parameters.getOrDefault(ClassParameters.BUCKET_NAME, ""))
                    + ". Use a class that creates buckets.");
        }
        parameters.put(ClassParameters.ADOPT, bucket);
        parameters.put(ClassParameters.ADOPT_UNTAGGED, Boolean.toString(untagged));
        // The administrator names the bucket and the namespace, so the namespace of the former claim does not matter.
        parameters.put(ClassParameters.ADOPT_FROM, "AnyNamespace");
        parameters.put(ClassParameters.ALLOWED_NAMESPACES, namespace);
        // The same parameters give the same name, so that a retry finds the class of the first attempt.
        String id = UUID.nameUUIDFromBytes((base.getMetadata().getUid() + parameters).getBytes(StandardCharsets.UTF_8))
                .toString();
        return new StorageClassBuilder()
                .withNewMetadata()
                .withName("adopt-" + id)
                .addToAnnotations("bucketwright.io/adopts", bucket)
                .endMetadata()
                .withProvisioner(base.getProvisioner())
                .withParameters(parameters)
                .withReclaimPolicy(base.getReclaimPolicy())
                .build();
    }
}
