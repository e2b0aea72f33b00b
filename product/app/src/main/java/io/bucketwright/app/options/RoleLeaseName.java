package io.bucketwright.app.options;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of a role's Lease. Processes that do the same work must share it, and others must not: it has a hash of what the role
 * serves, unless that is the default. The Helm chart calculates the same hash.
 */
public final class RoleLeaseName {

    /** The provisioner of StorageClasses, if no flag sets another one. */
    public static final String DEFAULT_PROVISIONER = "bucketwright.io/bucket";
    /** The controller id of claims of pods and of the releaser, if no flag sets another one. */
    public static final String DEFAULT_ID = "bucketwright";

    private static final int HASH_LENGTH = 8;

    private RoleLeaseName() {}

    /**
     * The name of the Lease.
     *
     * @param served the provisioner or id
     * @param usual the default of it
     * @param namespace whose objects are served; empty for all
     */
    public static String of(String role, String served, String usual, String namespace) {
        String name = "bucketwright-" + role;
        return served.equals(usual) && namespace.isEmpty() ? name : name + "-" + hash(served + "\n" + namespace);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
