package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Names of the cluster-scoped objects that are created for namespaced requests. */
final class ObjectNames {

    private static final int LONGEST = 253;
    private static final int HASH = 10;

    private ObjectNames() {}

    /** {@code bucket-<name>-<namespace>} if that is free and short enough, otherwise followed by a hash of the request's uid. */
    public static String bucket(ObjectKey request, boolean taken) {
        return name("bucket-", request, taken);
    }

    /** {@code bucketaccess-<name>-<namespace>}: in lower case, because Kubernetes allows no capital letters in names. */
    public static String access(ObjectKey request, boolean taken) {
        return name("bucketaccess-", request, taken);
    }

    /** Every name that the controller can have chosen for the Bucket of a request. */
    public static List<String> buckets(ObjectKey request) {
        return List.of(bucket(request, false), bucket(request, true));
    }

    /** Every name that the controller can have chosen for the BucketAccess of a request. */
    public static List<String> accesses(ObjectKey request) {
        return List.of(access(request, false), access(request, true));
    }

    /** Whether the controller can have chosen this name for the BucketAccess of a request of this name, whatever its uid. */
    public static boolean isAccessOf(ObjectKey request, String name) {
        String plain = access(request, false);
        return name.equals(plain)
                || accesses(request).contains(name)
                || (name.startsWith(plain + "-")
                        && name.substring(plain.length() + 1).matches("[0-9a-f]{" + HASH + "}"));
    }

    private static String name(String prefix, ObjectKey request, boolean taken) {
        String plain = (prefix + request.name() + "-" + request.namespace()).toLowerCase(Locale.ROOT);
        if (!taken && plain.length() <= LONGEST) {
            return plain;
        }
        String cut = plain.substring(0, Math.min(plain.length(), LONGEST - HASH - 1));
        while (!Character.isLetterOrDigit(cut.charAt(cut.length() - 1))) {
            cut = cut.substring(0, cut.length() - 1);
        }
        return cut + "-" + hash(request.uid());
    }

    private static String hash(String uid) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(uid.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
