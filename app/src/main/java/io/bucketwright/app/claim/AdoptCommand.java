package io.bucketwright.app.claim;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.store.BucketName;
import io.bucketwright.store.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
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
 * {@code bucketwright adopt}. Whether a bucket may be taken over is an administrator's word, and such words are
 * classes: so it makes a class that adopts this one bucket for this one namespace, and a claim of that class.
 */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Gives an existing bucket to a new claim: one that was kept when its claim went, or, with --unmarked, one that"
                    + " Bucketwright never made.",
            "The bucket is never deleted with the claim. Needs the right to create StorageClasses."
        })
public final class AdoptCommand extends AnsweringCommand {

    @Mixin
    private ClaimScope scope = new ClaimScope();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Parameters(paramLabel = "BUCKET", description = "The bucket's name in the store.")
    private String bucket = "";

    @Option(
            names = "--class",
            required = true,
            paramLabel = "CLASS",
            description = "A StorageClass of the store that holds the bucket; its parameters are taken over.")
    private String storageClass = "";

    @Option(names = "--claim", required = true, paramLabel = "NAME", description = "The claim to make.")
    private String claim = "";

    @Option(
            names = "--unmarked",
            description = "Also if the bucket bears no mark of Bucketwright: make sure that nobody else depends on it.")
    private boolean unmarked;

    @Override
    public Integer call() throws InterruptedException {
        checkName();
        String namespace = scope.namespace();
        try (Claims claims = scope.open()) {
            StorageClass adopting = adopting(claims.readClass(storageClass), namespace);
            String name = adopting.getMetadata().getName();
            if (!claims.hasClass(name)) {
                claims.create(adopting);
            }
            claims.create(claim(namespace, name));
            out().println("Claim " + namespace + "/" + claim + " asks for bucket " + bucket + " through StorageClass "
                    + name + ", which may be deleted once the claim is Bound.");
            if (waiting.wanted()) {
                waiting.until(() -> CreateCommand.look(claims.read(namespace, claim)), out());
                out().println(Words.plain(Words.state(claims.read(namespace, claim))));
            }
            return 0;
        }
    }

    private void checkName() {
        try {
            BucketName _ = new BucketName(bucket);
        } catch (Invalid e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    /** The same store, for this bucket and this namespace alone. */
    StorageClass adopting(StorageClass base, String namespace) {
        @Nullable Map<String, String> given = base.getParameters();
        Map<String, String> parameters = new TreeMap<>(given == null ? Map.of() : given);
        if (parameters.containsKey(ClassParameters.BUCKET_NAME)) {
            throw new Failure("StorageClass " + storageClass + " is for one existing bucket, "
                    + Words.plain(parameters.getOrDefault(ClassParameters.BUCKET_NAME, ""))
                    + ": name a class that makes buckets.");
        }
        parameters.put(ClassParameters.ADOPT, bucket);
        parameters.put(ClassParameters.ADOPT_UNMARKED, Boolean.toString(unmarked));
        parameters.put(ClassParameters.ALLOWED_NAMESPACES, namespace);
        // The same words give the same class, so that a second try finds the first one's.
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

    private ObjectBucketClaim claim(String namespace, String adopting) {
        ObjectBucketClaim made = new ObjectBucketClaim();
        made.setMetadata(
                new ObjectMetaBuilder().withName(claim).withNamespace(namespace).build());
        made.setSpec(ObjectBucketClaimSpec.builder()
                .storageClassName(adopting)
                .bucketName(bucket)
                .build());
        return made;
    }
}
