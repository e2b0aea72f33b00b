package io.bucketwright.runtime.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.OwnedSecret;
import io.bucketwright.runtime.objects.OwnedSecret.Lookup;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A Secret that has lost its label is found, and one of somebody else is not changed. */
final class OwnedSecretTest {

    private static final Map<String, String> LABELS = Map.of("managed-by", "test");

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final InMemoryProcess process = new InMemoryProcess(server, new ManualTime(), new ManualLeadership());
    private final OwnedSecret secrets =
            new OwnedSecret(process.context().writer(), process.context().reader());
    private final ConfigMap owner = server.create(new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("owner")
            .endMetadata()
            .build());

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void aSecretThatDoesNotExistIsCreatedWithoutARead() {
        assertThat(create()).isInstanceOf(Lookup.Owned.class);
        assertThat(process.writes()).hasSize(1);
    }

    @Test
    void anOwnedSecretWithoutItsLabelIsUpdated() {
        server.create(secret(true, Map.of()));
        assertThat(create()).isInstanceOf(Lookup.Owned.class);
        assertThat(stored().getMetadata().getLabels()).isEqualTo(LABELS);
    }

    @Test
    void aForeignSecretIsNotChanged() {
        Secret foreign = server.create(secret(false, Map.of()));
        assertThat(create()).isEqualTo(new Lookup.Foreign<>(foreign));
        assertThat(secrets.read(Secret.class, "ns", "s", this::isOwned)).isEqualTo(new Lookup.Foreign<>(foreign));
        assertThat(stored()).isEqualTo(foreign);
    }

    @Test
    void aReadFindsAnOwnedSecretWithoutItsLabel() {
        assertThat(secrets.read(Secret.class, "ns", "s", this::isOwned)).isEqualTo(new Lookup.Missing<>());
        Secret owned = server.create(secret(true, Map.of("other", "label")));
        assertThat(secrets.read(Secret.class, "ns", "s", this::isOwned)).isEqualTo(new Lookup.Owned<>(owned));
    }

    private Lookup<Secret> create() {
        return secrets.create(
                secret(true, LABELS),
                this::isOwned,
                found -> process.context()
                        .writer()
                        .merge(found, Metadata.patch(found).withLabels(LABELS).fields()));
    }

    private boolean isOwned(Secret secret) {
        return Metadata.isOwnedBy(secret, owner.getMetadata().getUid());
    }

    private Secret stored() {
        return server.get(Secret.class, "ns", "s").orElseThrow();
    }

    private Secret secret(boolean owned, Map<String, String> labels) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("s")
                .withLabels(labels)
                .endMetadata()
                .build();
        if (owned) {
            secret.getMetadata().getOwnerReferences().add(Metadata.ownerReference(owner));
        }
        return secret;
    }
}
