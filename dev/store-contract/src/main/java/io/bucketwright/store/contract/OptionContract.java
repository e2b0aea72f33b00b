package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests options: supported ones are set, unsupported ones rejected, other settings left unchanged. */
public interface OptionContract extends Contract {

    @Test
    default void unsupportedOptionsAreRejectedBeforeTheBucketIsCreated() {
        List<BucketOption> unsupported = samples().stream()
                .filter(option -> !store().capabilities().contains(option.needs()))
                .toList();
        for (BucketOption option : unsupported) {
            BucketName bucket = newBucket();
            ProvisionRequest request = new ProvisionRequest(
                    bucket, Naming.GIVEN, newOwner(), Access.readWrite(), BucketOptions.of(option), Set.of());
            assertThatThrownBy(() -> store().provision(call(), request)).isInstanceOf(Unsupported.class);
            assertThat(subject().bucketExists(bucket)).isFalse();
        }
    }

    @Test
    default void supportedOptionsAreSetAndCanBeSetAgain() {
        for (BucketOption option : samples()) {
            if (supports(option.needs())) {
                BucketName without = newBucket();
                provision(without, newOwner());
                assertSet(without, option, false);
                BucketName bucket = newBucket();
                BucketOwner owner = newOwner();
                ProvisionRequest request = new ProvisionRequest(
                        bucket, Naming.GIVEN, owner, Access.readWrite(), BucketOptions.of(option), Set.of());
                store().provision(call(), request);
                assertSet(bucket, option, true);
                store().provision(call(), request);
                store().update(call(), options(bucket, owner, option));
                assertSet(bucket, option, true);
                delete(bucket, owner, OnNotEmpty.BLOCK);
            }
        }
    }

    @Test
    default void removedOptionsAreNoLongerSetAndOthersAreKept() {
        for (BucketOption option : samples()) {
            // An object lock and an owner are properties of the bucket from its creation on.
            if (supports(option.needs())
                    && !(option instanceof BucketOption.ObjectLock)
                    && !(option instanceof BucketOption.OwningUser)) {
                BucketName bucket = newBucket();
                BucketOwner owner = newOwner();
                store().provision(
                                call(),
                                new ProvisionRequest(
                                        bucket,
                                        Naming.GIVEN,
                                        owner,
                                        Access.readWrite(),
                                        BucketOptions.of(option),
                                        Set.of()));
                subject().addTag(bucket, "somebody", "else");
                UpdateRequest removal =
                        UpdateRequest.removing(bucket, owner, AppliedOptions.of(BucketOptions.of(option)));
                store().update(call(), removal);
                store().update(call(), removal);
                assertSet(bucket, option, false);
                if (subject().hasObjects()) {
                    assertThat(subject().tags(bucket)).containsEntry("somebody", "else");
                }
                delete(bucket, owner, OnNotEmpty.BLOCK);
            }
        }
    }

    @Test
    default void anOptionThatWasNeverSetCanBeRemoved() {
        needs(Capability.VERSIONING);
        provision(bucket(), owner());
        Set<Capability> kinds = samples().stream().map(BucketOption::needs).collect(Collectors.toSet());
        store().update(call(), UpdateRequest.removing(bucket(), owner(), new AppliedOptions(kinds, Set.of("team"))));
        assertSet(bucket(), new Versioning(true), false);
    }

    @Test
    default void aPolicyAppliesUntilItIsRemoved() {
        needsObjects();
        needs(Capability.POLICY);
        BucketOptions policy =
                BucketOptions.of(new BucketOption.Policy(subject().publicReadPolicy(bucket())));
        ObjectClient application = application(store().provision(
                        call(),
                        new ProvisionRequest(bucket(), Naming.GIVEN, owner(), Access.readWrite(), policy, Set.of())));
        application.put("key", "text");
        subject()
                .anonymous(bucket())
                .ifPresent(anonymous ->
                        eventually(() -> assertThat(anonymous.get("key")).isEqualTo("text")));
        store().update(call(), UpdateRequest.removing(bucket(), owner(), AppliedOptions.of(policy)));
        subject().anonymous(bucket()).ifPresent(anonymous -> refused(() -> anonymous.get("key")));
        assertThat(application.get("key")).isEqualTo("text");
    }

    @Test
    default void optionsThatOpenABucketAreRemovedWithTheAccess() {
        needsObjects();
        List<BucketOption> opening = Stream.concat(
                        subject().anonymousModes().stream(), Stream.<BucketOption>of(CannedAcl.PUBLIC_READ_WRITE))
                .filter(option -> supports(option.needs()))
                .toList();
        for (BucketOption option : opening) {
            BucketName bucket = newBucket();
            BucketOwner owner = newOwner();
            BucketOptions options = BucketOptions.of(option);
            ObjectClient application = application(store().provision(
                            call(),
                            new ProvisionRequest(bucket, Naming.GIVEN, owner, Access.readWrite(), options, Set.of())));
            application.put("key", "text");
            // Some emulators let nobody in without credentials, or everybody.
            Optional<ObjectClient> others = subject().anonymous(bucket);
            others.ifPresent(anonymous -> assertOpen(option, anonymous));
            store().revoke(call(), bucket, owner);
            store().update(
                            call(),
                            UpdateRequest.removing(
                                    bucket, owner, AppliedOptions.of(options).opening()));
            for (ObjectClient client : List.of(application, others.orElse(application))) {
                refused(() -> client.get("key"));
                refused(() -> client.put("key", "late"));
                refused(() -> client.list(""));
            }
        }
    }

    @Test
    default void anAnonymousAccessThatTheStoreCannotExpressIsRefusedBeforeTheBucketIsCreated() {
        needsObjects();
        needs(Capability.ANONYMOUS_ACCESS);
        for (AnonymousAccess mode : EnumSet.complementOf(EnumSet.of(AnonymousAccess.PRIVATE))) {
            if (!subject().anonymousModes().contains(mode)) {
                BucketName bucket = newBucket();
                ProvisionRequest request = new ProvisionRequest(
                        bucket, Naming.GIVEN, newOwner(), Access.readWrite(), BucketOptions.of(mode), Set.of());
                assertThatThrownBy(() -> store().provision(call(), request))
                        .isInstanceOf(Unsupported.class)
                        .hasMessageContaining("anonymous");
                assertThat(subject().bucketExists(bucket)).isFalse();
            }
        }
    }

    private void assertOpen(BucketOption option, ObjectClient anonymous) {
        if (option == AnonymousAccess.READ_ONLY) {
            refused(() -> anonymous.put("other", "anonymous"));
        } else {
            eventually(() -> anonymous.put("anonymous", "text"));
        }
        if (option == AnonymousAccess.WRITE_ONLY) {
            refused(() -> anonymous.list(""));
            return;
        }
        eventually(() -> assertThat(anonymous.list("")).contains("key"));
        // The ACL of a bucket is not that of its objects.
        if (!(option instanceof CannedAcl)) {
            eventually(() -> assertThat(anonymous.get("key")).isEqualTo("text"));
        }
    }

    @Test
    default void anApplicationLocksObjectsAndCannotBypassALock() {
        needsObjects();
        assumeTrue(subject().locksObjects(), "applications of this store cannot lock single objects");
        needs(Capability.OBJECT_LOCK);
        Access locking = Access.readWrite().withObjectLock(true);
        BucketOptions lock = BucketOptions.of(new BucketOption.ObjectLock(BucketOption.ObjectLock.Mode.ENABLED, 0));
        ObjectClient first = application(store().provision(
                        call(), new ProvisionRequest(bucket(), Naming.GIVEN, owner(), locking, lock, Set.of())));
        assertThat(first.locks())
                .as("the locks of objects that the store declares")
                .isPresent();
        // A new key of the same principal can still lock.
        ObjectClient application = application(grant(bucket(), owner(), locking));
        ObjectClient.ObjectLocks locks = application.locks().orElseThrow();
        eventually(() -> application.put("key", "text"));
        locks.hold("key", true);
        assertThat(locks.isHeld("key")).isTrue();
        assertThatThrownBy(() -> locks.deleteVersion("key")).isInstanceOf(RuntimeException.class);

        ObjectClient reader = application(
                grant(bucket(), newOwner(), Access.of(AccessMode.READ_ONLY).withObjectLock(true)));
        ObjectClient.ObjectLocks seen = reader.locks().orElseThrow();
        eventually(() -> assertThat(seen.isHeld("key")).isTrue());
        refused(() -> seen.hold("key", false));
        ObjectClient without = application(grant(bucket(), newOwner(), Access.readWrite()));
        eventually(() -> assertThat(without.get("key")).isEqualTo("text"));
        refused(() -> without.locks().orElseThrow().hold("key", false));

        Instant end = Instant.now().plusSeconds(8);
        locks.retain("key", Duration.between(Instant.now(), end));
        locks.hold("key", false);
        assertThatThrownBy(() -> locks.deleteVersionBypassingRetention("key")).isInstanceOf(RuntimeException.class);
        assertThat(application.get("key")).isEqualTo("text");
        while (Instant.now().isBefore(end.plusSeconds(1))) {
            pause();
        }
        locks.deleteVersion("key");
        assertThat(application.list("")).isEmpty();
    }

    /** An application that may not lock objects must not get a bucket that promises it. */
    @Test
    default void aStoreWhoseApplicationsCannotLockObjectsRefusesThatOption() {
        assumeFalse(subject().locksObjects(), "applications of this store can lock objects");
        needs(Capability.OBJECT_LOCK);
        BucketOptions lock = BucketOptions.of(new BucketOption.ObjectLock(BucketOption.ObjectLock.Mode.ENABLED, 0));
        assertThatThrownBy(() -> store().provision(
                                call(),
                                new ProvisionRequest(
                                        bucket(), Naming.GIVEN, owner(), Access.readWrite(), lock, Set.of())))
                .isInstanceOf(Unsupported.class);
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    @Test
    default void tagsAreAddedToExistingTags() {
        needs(Capability.TAGS);
        assumeFalse(!subject().hasObjects(), "the store keeps no tags");
        provision(bucket(), owner());
        subject().addTag(bucket(), "somebody", "else");
        store().update(call(), options(bucket(), owner(), new Tags(Map.of("team", "blue"))));
        assertThat(subject().tags(bucket())).containsEntry("somebody", "else").containsEntry("team", "blue");
        delete(bucket(), owner(), OnNotEmpty.BLOCK);
    }

    @Test
    default void otherTagsAreKept() {
        needs(Capability.VERSIONING);
        assumeFalse(!subject().hasObjects(), "the store keeps no tags");
        provision(bucket(), owner());
        subject().addTag(bucket(), "somebody", "else");
        store().update(call(), options(bucket(), owner(), new Versioning(true)));
        provision(bucket(), owner());
        assertThat(subject().tags(bucket())).containsEntry("somebody", "else");
    }

    @Test
    default void optionsOfABucketOfAnotherOwnerAreNotSet() {
        needs(Capability.VERSIONING);
        BucketName bucket = foreignBucket();
        assertThatThrownBy(() -> store().update(call(), options(bucket, owner(), new Versioning(true))))
                .isInstanceOf(Taken.class);
    }

    /** One option of each kind, none of them the default of a new bucket. */
    default List<BucketOption> samples() {
        return List.of(
                new BucketOption.OwningUser(subject().bucketOwner()),
                new Quota(1_000_000, 100),
                new Versioning(true),
                new Tags(Map.of("team", "blue")),
                CannedAcl.PUBLIC_READ,
                AnonymousAccess.READ_ONLY,
                BucketOption.Cors.parse("{\"CORSRules\":[{\"AllowedMethods\":[\"GET\"],\"AllowedOrigins\":[\"*\"]}]}"),
                subject().locksObjects()
                        ? new BucketOption.ObjectLock(BucketOption.ObjectLock.Mode.ENABLED, 0)
                        : new BucketOption.ObjectLock(BucketOption.ObjectLock.Mode.GOVERNANCE, 1),
                BucketOption.Lifecycle.parse(
                        "{\"Rules\":[{\"ID\":\"old\",\"Status\":\"Enabled\",\"Expiration\":{\"Days\":30}}]}"));
    }

    private void assertSet(BucketName bucket, BucketOption option, boolean expected) {
        assertThat(subject().isSet(bucket, option).orElse(expected))
                .as("%s is set on the bucket", option)
                .isEqualTo(expected);
    }

    private static UpdateRequest options(BucketName bucket, BucketOwner owner, BucketOption option) {
        return new UpdateRequest(bucket, owner, Access.none(), BucketOptions.of(option));
    }
}
