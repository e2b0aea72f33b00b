package io.bucketwright.api.cosi;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A driver and its sidecar: {@code <namespace>/<name>}, such as {@code ceph-rgw/ceph-rgw.cosi.ceph.com}.
 *
 * @param namespace where the sidecar runs and creates its Secrets
 * @param name the driver's name
 */
public record Provisioner(String namespace, String name) {
    static final String PATTERN = "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/[a-zA-Z0-9]([-a-zA-Z0-9._]{0,251}[a-zA-Z0-9])?$";

    private static final Pattern SHAPE = Pattern.compile(PATTERN);
    private static final int LONGEST_LABEL = 63;

    /** Checks both parts. */
    public Provisioner {
        if (!SHAPE.matcher(namespace + "/" + name).matches()) {
            throw new IllegalArgumentException("A provisioner is <namespace>/<name>, such as store/s3.example.com");
        }
    }

    /** Empty for a text that is not a provisioner. */
    public static Optional<Provisioner> of(String text) {
        if (!SHAPE.matcher(text).matches()) {
            return Optional.empty();
        }
        int slash = text.indexOf('/');
        return Optional.of(new Provisioner(text.substring(0, slash), text.substring(slash + 1)));
    }

    /** The value of the label {@code cosi.io/provisioner}; not unique. */
    public String label() {
        String legal = (namespace + "/" + name).replaceAll("[^a-zA-Z0-9._-]", "-");
        int end = Math.min(legal.length(), LONGEST_LABEL);
        while (!Character.isLetterOrDigit(legal.charAt(end - 1))) {
            end--;
        }
        return legal.substring(0, end);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
